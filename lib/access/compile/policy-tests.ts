import { isUnconditional, skippedAt, type CompiledPolicy } from "@/lib/access/compile/policies";
import { isHeld, type CompiledMatcher } from "@/lib/access/matching/compiled-matcher";
import type { JsonObject } from "@/lib/access/model/configuration";
import type { Parts } from "@/lib/access/model/parts";

/** Whether a policy applies and matches, for the claims and the time of one decision. */
export type PolicyTest = (policy: CompiledPolicy) => boolean;

/** Bits of a tested matcher: whether it counts as held in an allow, and in a deny. */
const HELD = { allow: 1, deny: 2 } as const;

/**
 * Creates tests that judge each distinct matcher at most once per decision: many policies share `department equals
 * sales`. The outcomes of a decision are kept in arrays of the index and guarded by the decision's number.
 */
export function* createPolicyTests(
  policies: readonly CompiledPolicy[],
): Parts<(claims: JsonObject, now: number) => PolicyTest> {
  const { matchers, numbers } = yield* distinctMatchers(policies);
  const held = new Uint8Array(matchers.length);
  // Doubles: 32 bits would wrap within days, and a wrapped number could meet an old outcome.
  const testedIn = new Float64Array(matchers.length);
  let decisions = 0;
  return (claims, now) => {
    const decision = (decisions += 1);
    return (compiled) => {
      if (skippedAt(compiled, now) !== null) return false;
      const own = numbers[compiled.number];
      if (own === undefined || own.length === 0) return isUnconditional(compiled);
      const needed = HELD[compiled.policy.effect];
      for (const number of own) {
        if (testedIn[number] !== decision) {
          held[number] = heldBits(matchers[number], claims, now);
          testedIn[number] = decision;
        }
        if (((held[number] ?? 0) & needed) === 0) return false;
      }
      return true;
    };
  };
}

function heldBits(compiled: CompiledMatcher | undefined, claims: JsonObject, now: number): number {
  if (compiled === undefined) return HELD.deny;
  const { operator } = compiled.matcher;
  const outcome = compiled.test(claims, now);
  return (isHeld("allow", operator, outcome) ? HELD.allow : 0) | (isHeld("deny", operator, outcome) ? HELD.deny : 0);
}

interface Distinct {
  readonly matchers: readonly CompiledMatcher[];
  /** By policy number: the numbers of its matchers. */
  readonly numbers: readonly (readonly number[])[];
}

function* distinctMatchers(policies: readonly CompiledPolicy[]): Parts<Distinct> {
  const matchers: CompiledMatcher[] = [];
  const numbers: (readonly number[])[] = [];
  const known = new Map<string, number>();
  const numberOf = (compiled: CompiledMatcher): number => {
    const { claim, operator, value, ignoreCase } = compiled.matcher;
    const key = JSON.stringify([claim, operator, value, ignoreCase]);
    const number = known.get(key) ?? matchers.push(compiled) - 1;
    known.set(key, number);
    return number;
  };
  for (const policy of policies) {
    yield;
    numbers.push(policy.matchers.map(numberOf));
  }
  return { matchers, numbers };
}
