import { isUnconditional, skippedAt, type CompiledPolicy } from "@/lib/access/compile/policies";
import { isHeld, type CompiledMatcher } from "@/lib/access/matching/compiled-matcher";
import { clientOf, readClaim, type ClaimPath } from "@/lib/access/model/claims";
import type { Json, JsonObject } from "@/lib/access/model/configuration";
import type { Parts } from "@/lib/access/model/parts";

/** Whether a policy applies and matches, for the claims and the time of one decision. */
export type PolicyTest = (policy: CompiledPolicy) => boolean;

/** Bits of a tested matcher: whether it counts as held in an allow or a request, and in a deny. */
const HELD = { allow: 1, request: 1, deny: 2 } as const;

/**
 * Creates tests that read each claim path and judge each distinct matcher at most once per decision: many policies
 * share `department equals sales`. All decisions share the arrays of results. A result counts only for the decision whose
 * number stands beside it.
 */
export function* createPolicyTests(
  policies: readonly CompiledPolicy[],
): Parts<(claims: JsonObject, now: number) => PolicyTest> {
  const { matchers, pathOf, paths, numbers } = yield* distinctMatchers(policies);
  const held = new Uint8Array(matchers.length);
  // Doubles: a 32-bit number would repeat within days, and then an old result would count.
  const testedIn = new Float64Array(matchers.length);
  const values: (Json | undefined)[] = paths.map(() => undefined);
  const readIn = new Float64Array(paths.length);
  let decisions = 0;
  const claimOf = (matcher: number, claims: JsonObject, decision: number): Json | undefined => {
    const number = pathOf[matcher] ?? 0;
    const path = paths[number];
    if (path === undefined || path === null) return undefined;
    if (readIn[number] !== decision) {
      values[number] = readClaim(claims, path);
      readIn[number] = decision;
    }
    return values[number];
  };
  return (claims, now) => {
    const decision = (decisions += 1);
    return (compiled) => {
      if (skippedAt(compiled, now) !== null) return false;
      const own = numbers[compiled.number];
      if (own === undefined || own.length === 0) return isUnconditional(compiled);
      if (compiled.grant !== null && clientOf(claims) !== compiled.grant.client) return false;
      const needed = HELD[compiled.policy.effect];
      for (const number of own) {
        if (testedIn[number] !== decision) {
          held[number] = heldBits(matchers[number], claimOf(number, claims, decision), now);
          testedIn[number] = decision;
        }
        if (((held[number] ?? 0) & needed) === 0) return false;
      }
      return true;
    };
  };
}

function heldBits(compiled: CompiledMatcher | undefined, claim: Json | undefined, now: number): number {
  if (compiled === undefined) return HELD.deny;
  const { operator } = compiled.matcher;
  const outcome = compiled.testClaim(claim, now);
  // A match is held everywhere. Anything less is held in a deny at most.
  if (outcome === "match") return HELD.allow | HELD.deny;
  return isHeld("deny", operator, outcome) ? HELD.deny : 0;
}

interface Distinct {
  readonly matchers: readonly CompiledMatcher[];
  /** By matcher: the number of its path. */
  readonly pathOf: readonly number[];
  /** `null` stands for the matchers that do not compile: they read no claim. */
  readonly paths: readonly (ClaimPath | null)[];
  /** By policy number: the numbers of its matchers. */
  readonly numbers: readonly (readonly number[])[];
}

function* distinctMatchers(policies: readonly CompiledPolicy[]): Parts<Distinct> {
  const matchers: CompiledMatcher[] = [];
  const pathOf: number[] = [];
  const paths: (ClaimPath | null)[] = [null];
  const numbers: number[][] = [];
  const known = { matchers: new Map<string, number>(), paths: new Map<string, number>() };
  const numberPath = (path: ClaimPath | undefined): number => {
    if (path === undefined) return 0;
    const key = JSON.stringify(path.steps);
    const number = known.paths.get(key) ?? paths.push(path) - 1;
    known.paths.set(key, number);
    return number;
  };
  const numberOf = (compiled: CompiledMatcher): number => {
    const { claim, operator, value, ignoreCase } = compiled.matcher;
    const key = JSON.stringify([claim, operator, value, ignoreCase]);
    const number = known.matchers.get(key);
    if (number !== undefined) return number;
    known.matchers.set(key, matchers.length);
    pathOf.push(numberPath(compiled.parts?.path));
    return matchers.push(compiled) - 1;
  };
  for (const policy of policies) {
    yield;
    numbers.push(policy.matchers.map(numberOf));
  }
  yield* mostSharedFirst(numbers, matchers.length);
  return { matchers, pathOf, paths, numbers };
}

/** Puts each policy's most shared matchers first: an earlier policy has more often tested them already. */
function* mostSharedFirst(numbers: readonly number[][], size: number): Parts<void> {
  const uses = new Uint32Array(size);
  for (const own of numbers) for (const number of own) uses[number] = (uses[number] ?? 0) + 1;
  for (const own of numbers) {
    yield;
    if (own.length > 1) own.sort((left, right) => (uses[right] ?? 0) - (uses[left] ?? 0));
  }
}
