import { oneValue } from "@/lib/access/matching/claim-tests";
import type { Json } from "@/lib/access/model/configuration";
import type { Compiled, OperatorSpec } from "@/lib/access/matching/operator-spec";
import { isScalar, scalarText, type Scalar } from "@/lib/access/model/scalars";
import { moveTime, parseDuration, parseTime, type Duration } from "@/lib/access/model/times";
import { compareVersions, parseVersion } from "@/lib/access/model/versions";

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A finite number: a JSON number, or text that is a number as a whole; `null` otherwise. */
export function readNumber(value: Scalar): number | null {
  if (!JSON_NUMBER.test(scalarText(value))) return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

/** A time in epoch milliseconds: RFC 3339 text, or epoch seconds as a JSON number; `null` otherwise. */
export function readTime(value: Json): number | null {
  if (typeof value === "string") return parseTime(value);
  return Number.isFinite(value) ? Number(value) * 1000 : null;
}

/** `gt`, `gte`, `lt`, `lte`: compares two numbers or two times; the matcher's value decides which. */
export function compileOrder(holds: (order: number) => boolean): OperatorSpec["compile"] {
  return (value) => {
    const number = isScalar(value) ? readNumber(value) : null;
    const wanted = number ?? (typeof value === "string" ? parseTime(value) : null);
    if (wanted === null) return { problem: "give a number, or a time with offset such as 2026-01-31T12:00:00Z" };
    const read = number === null ? readTime : readNumber;
    const test = oneValue((claim) => {
      const actual = read(claim);
      return actual === null ? null : holds(actual - wanted);
    });
    return { test, keys: null, nextChange: null };
  };
}

/** `within_last` (−1): now − D ≤ t ≤ now. `within_next` (1): now ≤ t ≤ now + D. */
export function compileWithin(direction: 1 | -1): OperatorSpec["compile"] {
  return (value) => {
    const duration = typeof value === "string" ? parseDuration(value) : null;
    if (duration === null) return { problem: "give an ISO 8601 duration, such as P30D or PT15M" };
    const test = oneValue((claim, now) => {
      const time = readTime(claim);
      const edge = moveTime(now, duration, direction);
      if (time === null || Number.isNaN(edge)) return null;
      return direction === 1 ? now <= time && time <= edge : edge <= time && time <= now;
    });
    return { test, keys: null, nextChange: nextChangeOf(duration, direction) } satisfies Compiled;
  };
}

/**
 * The first instant at which the answer may change: when `now` passes the time itself or an edge of the window. A month
 * has 28 to 31 days, so any instant between its shortest and longest reading counts.
 */
function nextChangeOf(duration: Duration, direction: 1 | -1): (claim: Json, now: number) => number {
  const shortest = duration.months * 28 * DAY + duration.milliseconds;
  const longest = duration.months * 31 * DAY + duration.milliseconds;
  return (claim, now) => {
    const time = readTime(claim);
    if (time === null) return Number.POSITIVE_INFINITY;
    return Math.min(
      firstIn(time, time, now),
      direction === 1 ? firstIn(time - longest, time - shortest, now) : firstIn(time + shortest, time + longest, now),
    );
  };
}

/** The first instant of a span at or after `now`. */
function firstIn(from: number, until: number, now: number): number {
  return now > until ? Number.POSITIVE_INFINITY : Math.max(from, now);
}

const DAY = 86_400_000;

/** `semver_gte`, `semver_lt`: compares two versions. */
export function compileVersionOrder(holds: (order: number) => boolean): OperatorSpec["compile"] {
  return (value) => {
    const wanted = typeof value === "string" ? parseVersion(value) : null;
    if (wanted === null) return { problem: "give a semantic version, such as 1.4.0" };
    const test = oneValue((claim) => {
      const actual = parseVersion(scalarText(claim));
      return actual === null ? null : holds(compareVersions(actual, wanted));
    });
    return { test, keys: null, nextChange: null };
  };
}
