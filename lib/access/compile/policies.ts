import type { AccessGrant, Configuration, JsonObject, Policy } from "@/lib/access/model/configuration";
import { ALL } from "@/lib/access/model/configuration";
import { compileMatcher, isHeld, type CompiledMatcher } from "@/lib/access/matching/compiled-matcher";
import type { GroupTable } from "@/lib/access/compile/groups";
import { sortedInParts, type Parts } from "@/lib/access/model/parts";
import type { PolicyTrace } from "@/lib/access/decide/resolution";
import { byCodeUnit } from "@/lib/access/model/scalars";
import { parseTime } from "@/lib/access/model/times";

/** One policy, ready to evaluate claims (docs/reference/decision.md#policy). */
export interface CompiledPolicy {
  /** The policy's position in evaluation order: priority descending, then name. */
  readonly number: number;
  readonly policy: Policy;
  /** Epoch milliseconds; the policy applies while `from <= now < until`. */
  readonly from: number;
  readonly until: number;
  readonly matchers: readonly CompiledMatcher[];
  readonly arguments: readonly CompiledMatcher[];
  /** Group numbers with `"*"` expanded. Names without a group are left out. An unreadable deny has every group. */
  readonly groups: readonly number[];
  /** A deny that names a group in error: its tools are unknown, so it denies all tools. */
  readonly unreadable: boolean;
  /** The access grant that this allow was made from; `null` for a stored policy. */
  readonly grant: AccessGrant | null;
}

/**
 * Compiles all policies in evaluation order. Reports what does not compile, and fails closed: it never holds in an allow,
 * and always holds in a deny. Reuses the matchers of a policy that is the same object in `previous`.
 */
export function* compilePolicies(
  config: Configuration,
  groups: Pick<GroupTable, "all" | "numberOf" | "access">,
  errors: string[],
  previous: readonly CompiledPolicy[] | undefined,
): Parts<readonly CompiledPolicy[]> {
  const everyGroup = groups.all.map((_, number) => number);
  // An allow of `"*"` leaves out the groups of access grants: they are always active, so they would show tools of inactive
  // groups. A deny of `"*"` denies them too.
  const accessGroups = new Set(groups.access.values());
  const allowable = everyGroup.filter((number) => !accessGroups.has(number));
  const before = new Map(previous?.map((compiled) => [compiled.policy, compiled]));
  const ordered = yield* sortedInParts(
    config.policies,
    (left, right) => right.priority - left.priority || byCodeUnit(left.name, right.name),
  );
  const compiled: CompiledPolicy[] = [];
  for (const [number, policy] of ordered.entries()) {
    yield;
    const known = before.get(policy);
    const reported = (matchers: readonly CompiledMatcher[], where: string): readonly CompiledMatcher[] => {
      for (const [index, { problem }] of matchers.entries())
        if (problem !== null) errors.push(`policy \`${policy.name}\`, ${where} ${index + 1}: ${problem}`);
      return matchers;
    };
    const bound = (text: string | null, open: number, never: number): number => {
      if (text === null) return open;
      const time = parseTime(text);
      if (time === null) errors.push(`policy \`${policy.name}\`: \`${text}\` is not a time`);
      return time ?? (policy.effect === "deny" ? open : never);
    };
    const named = groupsOf(policy, groups.numberOf, policy.effect === "deny" ? everyGroup : allowable);
    const unreadable =
      policy.effect === "deny" &&
      !policy.groups.includes(ALL) &&
      named.some((group) => groups.all[group]?.error !== null);
    compiled.push({
      number,
      policy,
      from: bound(policy.validFrom, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY),
      until: bound(policy.validUntil, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
      matchers: reported(known?.matchers ?? policy.matchers.map(compileMatcher), "condition"),
      arguments: reported(known?.arguments ?? policy.arguments.map(compileMatcher), "argument condition"),
      groups: unreadable ? everyGroup : named,
      unreadable,
      grant: null,
    });
  }
  return compiled;
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

/** Whether a policy names every group: by `"*"`, or as a deny of a group in error. */
export function namesEveryGroup({ policy, unreadable }: CompiledPolicy): boolean {
  return unreadable || policy.groups.includes(ALL);
}

/** Whether a policy or flow rule takes part in decisions: an observed one only counts what it would change. */
export function isApplied({ active, mode }: Pick<Policy, "active" | "mode">): boolean {
  return active && mode !== "observe";
}

/** Whether a policy or flow rule only counts what it would change. */
export function isObserved({ active, mode }: Pick<Policy, "active" | "mode">): boolean {
  return active && mode === "observe";
}

/** Why a policy does not apply at `now` (epoch milliseconds); `null` when it applies. */
export function skippedAt({ policy, from, until }: CompiledPolicy, now: number): PolicyTrace["skipped"] {
  if (!policy.active) return "inactive";
  if (!isApplied(policy)) return "observed";
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

/** Whether a policy without matchers matches: a deny always does, another policy only with `everyone`. */
export function isUnconditional({ policy }: CompiledPolicy): boolean {
  return policy.everyone || policy.effect === "deny";
}

/** Whether all argument conditions of a policy hold. The policy must have at least one. */
export function argumentsHold(compiled: CompiledPolicy, args: JsonObject, now: number): boolean {
  const { policy, unreadable, arguments: conditions } = compiled;
  return unreadable || conditions.every((condition) => matcherHolds(policy, condition, args, now));
}

/** Sorts policies into evaluation order and removes duplicates. */
export function inOrder(policies: readonly CompiledPolicy[]): readonly CompiledPolicy[] {
  if (policies.length < 2) return policies;
  const ordered = policies.toSorted((left, right) => left.number - right.number);
  return ordered.filter((policy, at) => policy !== ordered[at - 1]);
}
