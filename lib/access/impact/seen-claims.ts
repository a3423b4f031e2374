import { isObject } from "@/lib/access/model/json";
import { readClaim, type ClaimPath } from "@/lib/access/model/claims";
import type { JsonObject, Policy } from "@/lib/access/model/configuration";
import type { Matcher } from "@/lib/access/model/matcher";
import { compileMatcher, isHeld } from "@/lib/access/matching/compiled-matcher";

/** How many callers satisfy each condition, in the order of the conditions, and how many satisfy all. */
interface HoldingCounts {
  /** `null` where a condition is incomplete. */
  readonly matching: readonly (number | null)[];
  readonly all: number;
}

/**
 * Counts the callers that satisfy conditions, as a policy of this effect judges them
 * (docs/reference/decision.md#operators). Skips incomplete conditions (`null`).
 * @param now epoch milliseconds
 */
export function countSatisfying(
  effect: Policy["effect"],
  matchers: readonly (Matcher | null)[],
  callers: readonly JsonObject[],
  now: number,
): HoldingCounts {
  const tests = matchers.map((matcher) => {
    if (matcher === null) return null;
    const { test } = compileMatcher(matcher);
    return (claims: JsonObject) => isHeld(effect, matcher.operator, test(claims, now));
  });
  const complete = tests.filter((test) => test !== null);
  return {
    matching: tests.map((test) => (test === null ? null : callers.filter(test).length)),
    all: callers.filter((claims) => complete.every((test) => test(claims))).length,
  };
}

/** A path at which callers carry a claim, in matcher syntax, and the number of those callers. */
interface SeenPath {
  readonly path: string;
  readonly callers: number;
  /** Whether one of them carries a list there. */
  readonly list: boolean;
}

/** Deeper objects count as one value. */
const MAX_STEPS = 4;

/**
 * The paths at which these callers carry claims, most frequent first. Paths only, never values. A list is one claim.
 */
export function seenPaths(callers: readonly JsonObject[]): readonly SeenPath[] {
  const seen = new Map<string, SeenPath>();
  for (const claims of callers)
    for (const [path, value] of pathsOf(claims, "", MAX_STEPS)) {
      const { callers: before, list } = seen.get(path) ?? { callers: 0, list: false };
      seen.set(path, { path, callers: before + 1, list: list || Array.isArray(value) });
    }
  return [...seen.values()].toSorted(
    (left, right) => right.callers - left.callers || (left.path < right.path ? -1 : 1),
  );
}

/** A scalar that callers carry at a path, alone or in a list, as its JSON text without quotes. */
interface SeenValue {
  readonly value: string;
  readonly callers: number;
}

/** The values that these callers carry at a path, most frequent first. */
export function seenValues(callers: readonly JsonObject[], path: ClaimPath): readonly SeenValue[] {
  const counts = new Map<string, number>();
  for (const claims of callers) {
    const claim = readClaim(claims, path);
    const carried = [claim ?? []].flat().filter((value) => value !== null && typeof value !== "object");
    for (const value of new Set(carried.map(String))) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts]
    .map(([value, seen]) => ({ value, callers: seen }))
    .toSorted((left, right) => right.callers - left.callers || (left.value < right.value ? -1 : 1));
}

function pathsOf(claims: unknown, before: string, steps: number): (readonly [path: string, value: unknown])[] {
  if (!isObject(claims) || steps === 0) return before === "" ? [] : [[before, claims]];
  return Object.entries(claims).flatMap(([key, value]) => {
    const here = isBare(key) ? (before === "" ? key : `${before}.${key}`) : `${before}[${JSON.stringify(key)}]`;
    return pathsOf(value, here, steps - 1);
  });
}

/** Whether a key needs no brackets and quotes. */
function isBare(key: string): boolean {
  return /^[^.[\]]+$/.test(key);
}
