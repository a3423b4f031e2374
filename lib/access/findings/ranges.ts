import type { Constraint } from "@/lib/access/findings/constraints";
import { readNumber } from "@/lib/access/matching/orders";
import { isScalar } from "@/lib/access/model/scalars";
import { compareVersions, parseVersion } from "@/lib/access/model/versions";

/** One end of a range; `null` = unbounded. */
interface End<T> {
  readonly value: T;
  /** True when the range excludes the value itself. */
  readonly open: boolean;
}

/** The values that the comparisons of numbers or versions on one path leave. */
interface Range<T> {
  readonly low: End<T> | null;
  readonly high: End<T> | null;
  readonly compare: (left: T, right: T) => number;
}

/** The range that the number comparisons of some constraints leave. */
export function numberRange(constraints: readonly Constraint[]): Range<number> {
  return rangeOf(constraints, "number", readValue, (left, right) => left - right);
}

/** The range that the version comparisons of some constraints leave. */
export function versionRange(constraints: readonly Constraint[]) {
  return rangeOf(
    constraints,
    "version",
    ({ matcher }) => (typeof matcher.value === "string" ? parseVersion(matcher.value) : null),
    compareVersions,
  );
}

function readValue({ matcher }: Constraint): number | null {
  return isScalar(matcher.value) ? readNumber(matcher.value) : null;
}

function rangeOf<T>(
  constraints: readonly Constraint[],
  family: "number" | "version",
  read: (constraint: Constraint) => T | null,
  compare: (left: T, right: T) => number,
): Range<T> {
  let low: End<T> | null = null;
  let high: End<T> | null = null;
  for (const constraint of constraints) {
    const value = constraint.family === family ? read(constraint) : null;
    if (value === null) continue;
    const open = constraint.operator === "gt" || constraint.operator === "lt" || constraint.operator === "semver_lt";
    const end = { value, open };
    if (LOWER.has(constraint.operator)) {
      if (low === null || isTighter(compare(value, low.value), end, low)) low = end;
    } else if (high === null || isTighter(compare(high.value, value), end, high)) high = end;
  }
  return { low, high, compare };
}

const LOWER: ReadonlySet<string> = new Set(["gt", "gte", "semver_gte"]);

/** `order` is positive when the new end narrows the range. */
function isTighter(order: number, end: End<unknown>, than: End<unknown>): boolean {
  return order > 0 || (order === 0 && end.open && !than.open);
}

/** Whether the range contains no value. */
export function isEmptyRange<T>({ low, high, compare }: Range<T>): boolean {
  if (low === null || high === null) return false;
  const order = compare(low.value, high.value);
  return order > 0 || (order === 0 && (low.open || high.open));
}

/** Whether every value of the first range is in the second. Neither range may be empty. */
export function liesWithin<T>(inner: Range<T>, outer: Range<T>): boolean {
  const { compare } = inner;
  const reaches = (end: End<T> | null, needed: End<T> | null, sign: 1 | -1): boolean => {
    if (needed === null) return true;
    if (end === null) return false;
    const order = sign * compare(end.value, needed.value);
    return order > 0 || (order === 0 && (end.open || !needed.open));
  };
  return reaches(inner.low, outer.low, 1) && reaches(inner.high, outer.high, -1);
}
