import { ALL, DEFAULT_GROUP, UNGROUPED, type Configuration, type Policy } from "@/lib/access/model/configuration";
import type { MatcherTrace, PolicyTrace, ResolveRequest } from "@/lib/access/decide/resolution";
import { isBrokenGroup } from "@/test/access/oracle/groups";
import { isHeld, outcomeOf } from "@/test/access/oracle/operators";
import { readInstant } from "@/test/access/oracle/times";

/** All policies: priority descending, then name by code unit. */
export function inOrder(policies: readonly Policy[]): readonly Policy[] {
  return policies.toSorted((a, b) => b.priority - a.priority || (a.name < b.name ? -1 : 1));
}

/** Why a policy does not apply now, or `null`. An unreadable bound disables an allow, but not a deny. */
export function skippedBecause(policy: Policy, now: number): PolicyTrace["skipped"] {
  if (!policy.active) return "inactive";
  const deny = policy.effect === "deny";
  if (policy.validFrom !== null) {
    const from = readInstant(policy.validFrom);
    if (from === null ? !deny : now < from) return "not_yet_valid";
  }
  if (policy.validUntil !== null) {
    const until = readInstant(policy.validUntil);
    if (until === null ? !deny : now >= until) return "expired";
  }
  return null;
}

/** The outcome of each matcher, and whether it counts as held. */
export function matcherTraces(
  policy: Policy,
  request: ResolveRequest,
  now: number,
): readonly Pick<MatcherTrace, "outcome" | "held">[] {
  return policy.matchers.map((matcher) => {
    const outcome = outcomeOf(matcher, request.claims, now);
    return { outcome, held: isHeld(policy.effect, matcher.operator, outcome) };
  });
}

/** All matchers hold; with neither matchers nor `everyone`, an allow never matches and a deny always does. */
export function matches(policy: Policy, request: ResolveRequest, now: number): boolean {
  if (skippedBecause(policy, now) !== null) return false;
  if (policy.matchers.length === 0) return policy.everyone || policy.effect === "deny";
  return matcherTraces(policy, request, now).every(({ held }) => held);
}

/** Every group name, including `default` and `(ungrouped)`. */
export function allGroupNames(configuration: Configuration): readonly string[] {
  return [...configuration.groups.map(({ name }) => name), DEFAULT_GROUP, UNGROUPED];
}

/** Whether a policy names a group, by name or by `"*"`; only `"*"` covers `(ungrouped)`. */
export function speaksOf(policy: Policy, group: string): boolean {
  return policy.groups.includes(ALL) || (group !== UNGROUPED && policy.groups.includes(group));
}

/** Whether a deny names a group in error: its tools are unknown, so it denies everything. */
export function isUnreadable(configuration: Configuration, policy: Policy): boolean {
  if (policy.effect === "allow" || policy.groups.includes(ALL)) return false;
  return configuration.groups.some((group) => policy.groups.includes(group.name) && isBrokenGroup(group));
}

/** Whether a policy grants or denies a group: it names the group, or it is an unreadable deny. */
export function bears(configuration: Configuration, policy: Policy, group: string): boolean {
  return speaksOf(policy, group) || isUnreadable(configuration, policy);
}

/** The granting and denying policies for one caller now. */
export interface Grants {
  /** Matching policies, in order. */
  readonly matched: readonly Policy[];
  /** Groups of matching allow policies. */
  readonly raw: readonly string[];
  /** `raw` minus the groups of matching deny policies without arguments. */
  readonly granted: readonly string[];
  /** Matching deny policies without arguments, in order. */
  readonly denies: readonly Policy[];
}

/** Step 1: claims → groups. */
export function grantsOf(configuration: Configuration, request: ResolveRequest, now: number): Grants {
  const matched = inOrder(configuration.policies).filter((policy) => matches(policy, request, now));
  const raw = allGroupNames(configuration).filter((group) =>
    matched.some((policy) => policy.effect === "allow" && speaksOf(policy, group)),
  );
  const denies = matched.filter((policy) => policy.effect === "deny" && policy.arguments.length === 0);
  const granted = raw.filter((group) => !denies.some((policy) => bears(configuration, policy, group)));
  return { matched, raw, granted, denies };
}
