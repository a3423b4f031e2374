import type { Configuration, JsonObject, Policy } from "@/lib/access/model/configuration";
import { ALL } from "@/lib/access/model/configuration";
import { compileMatcher, isHeld, type CompiledMatcher } from "@/lib/access/matching/operators";
import type { GroupTable } from "@/lib/access/compile/groups";
import type { PolicyTrace } from "@/lib/access/decide/resolution";
import { byCodeUnit } from "@/lib/access/model/scalars";
import { parseTime } from "@/lib/access/model/times";

/** One policy, ready to judge claims (docs/reference/decision.md#policy). */
export interface CompiledPolicy {
  /** Its place in evaluation order: priority descending, then name. */
  readonly number: number;
  readonly policy: Policy;
  /** Epoch milliseconds; in force while `from <= now < until`. */
  readonly from: number;
  readonly until: number;
  readonly matchers: readonly CompiledMatcher[];
  readonly arguments: readonly CompiledMatcher[];
  /** Group numbers, `"*"` expanded, names that no group has left out; of an unreadable deny every group. */
  readonly groups: readonly number[];
  /** A deny that names a group whose pattern does not compile: which tools it means is unknown, so it means all. */
  readonly unreadable: boolean;
}

/**
 * Compiles all policies in evaluation order. What cannot be compiled is reported, and kept: doubt decides.
 * Matchers of a policy that is the same object among `previous` are taken over.
 */
export function compilePolicies(
  config: Configuration,
  groups: Pick<GroupTable, "all" | "numberOf">,
  errors: string[],
  previous: readonly CompiledPolicy[] | undefined,
): readonly CompiledPolicy[] {
  const everyGroup = groups.all.map((_, number) => number);
  const before = new Map(previous?.map((compiled) => [compiled.policy, compiled]));
  const ordered = config.policies.toSorted(
    (left, right) => right.priority - left.priority || byCodeUnit(left.name, right.name),
  );
  return ordered.map((policy, number) => {
    const known = before.get(policy);
    const reported = (matchers: readonly CompiledMatcher[], where: string): readonly CompiledMatcher[] => {
      for (const [index, { problem }] of matchers.entries())
        if (problem !== null) errors.push(`policy \`${policy.name}\`, ${where} ${index + 1}: ${problem}`);
      return matchers;
    };
    const bound = (text: string | null, open: number, never: number): number => {
      if (text === null) return open;
      const time = parseTime(text);
      if (time === null) errors.push(`policy \`${policy.name}\`: \`${text}\` is no time`);
      return time ?? (policy.effect === "allow" ? never : open);
    };
    const named = groupsOf(policy, groups.numberOf, everyGroup);
    const unreadable =
      policy.effect === "deny" &&
      !policy.groups.includes(ALL) &&
      named.some((group) => groups.all[group]?.error !== null);
    return {
      number,
      policy,
      from: bound(policy.validFrom, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY),
      until: bound(policy.validUntil, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
      matchers: reported(known?.matchers ?? policy.matchers.map(compileMatcher), "matcher"),
      arguments: reported(known?.arguments ?? policy.arguments.map(compileMatcher), "argument condition"),
      groups: unreadable ? everyGroup : named,
      unreadable,
    };
  });
}

function groupsOf(
  policy: Policy,
  groupNumber: ReadonlyMap<string, number>,
  everyGroup: readonly number[],
): readonly number[] {
  if (policy.groups.includes(ALL)) return everyGroup;
  const numbers = policy.groups.map((name) => groupNumber.get(name)).filter((number) => number !== undefined);
  return [...new Set(numbers)];
}

/** Why a policy is not in force at `now` (epoch milliseconds), or `null` when it is. */
export function skippedAt({ policy, from, until }: CompiledPolicy, now: number): PolicyTrace["skipped"] {
  if (!policy.active) return "inactive";
  return now < from ? "not_yet_valid" : now < until ? null : "expired";
}

/** Whether one matcher of a policy counts as held. */
export function matcherHolds(
  policy: Policy,
  { matcher, test }: CompiledMatcher,
  input: JsonObject,
  now: number,
): boolean {
  return isHeld(policy.effect, matcher.operator, test(input, now));
}

/** Whether all of some of a policy's matchers hold. */
export function matchersHold(
  { policy }: CompiledPolicy,
  matchers: readonly CompiledMatcher[],
  input: JsonObject,
  now: number,
): boolean {
  for (const matcher of matchers) if (!matcherHolds(policy, matcher, input, now)) return false;
  return true;
}

/** A policy without matchers: a stored one with neither matchers nor `everyone` never grants and always denies. */
export function standsAlone({ policy }: CompiledPolicy): boolean {
  return policy.everyone || policy.effect === "deny";
}

/** Whether a policy's conditions on arguments all hold; only asked of policies that have some. */
export function argumentsHold(compiled: CompiledPolicy, args: JsonObject, now: number): boolean {
  return compiled.unreadable || matchersHold(compiled, compiled.arguments, args, now);
}
