import { ALL, DEFAULT_GROUP, UNGROUPED, type Configuration, type Policy } from "@/lib/access/model/configuration";
import type { MatcherTrace, PolicyTrace, ResolveRequest } from "@/lib/access/decide/resolution";
import { isActive, isBrokenGroup, isMember } from "@/test/access/oracle/groups";
import { isHeld, outcomeOf } from "@/test/access/oracle/operators";
import { readInstant } from "@/test/access/oracle/times";

/** All policies: priority descending, then name by code unit. */
export function inOrder(policies: readonly Policy[]): readonly Policy[] {
  return policies.toSorted((a, b) => b.priority - a.priority || (a.name < b.name ? -1 : 1));
}

/** Why a policy does not apply now, or `null`. An unreadable bound disables an allow, but not a deny. */
export function skippedBecause(policy: Policy, now: number): PolicyTrace["skipped"] {
  if (!policy.active) return "inactive";
  if (policy.mode === "observe") return "observed";
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
  const granted = new Set(configuration.accessGrants.map(({ tool }) => accessGroup(tool)));
  return [...configuration.groups.map(({ name }) => name), DEFAULT_GROUP, UNGROUPED, ...granted];
}

/** The built-in group of a tool's access grants. */
export const accessGroup = (tool: string): string => `(access ${tool})`;

/** Whether a group is the built-in group of a tool's access grants, which no rule can name. */
export const isAccessGroup = (group: string): boolean => group.startsWith("(access ");

/** Whether a policy names a group, by name or by `"*"`; only `"*"` covers `(ungrouped)`. */
export function speaksOf(policy: Policy, group: string): boolean {
  if (isAccessGroup(group)) return policy.groups.includes(policy.effect === "deny" ? ALL : group);
  return policy.groups.includes(ALL) || (group !== UNGROUPED && policy.groups.includes(group));
}

/** Whether a deny names a group in error: its tools are unknown, so it denies everything. */
export function isUnreadable(configuration: Configuration, policy: Policy): boolean {
  if (policy.effect !== "deny" || policy.groups.includes(ALL)) return false;
  return configuration.groups.some((group) => policy.groups.includes(group.name) && isBrokenGroup(group));
}

/** Whether a policy grants or denies a group: it names the group, or it is an unreadable deny. */
export function bears(configuration: Configuration, policy: Policy, group: string): boolean {
  return speaksOf(policy, group) || isUnreadable(configuration, policy);
}

/**
 * Every access grant as an allow for its caller over its tool's built-in group, while its request policy exists, can
 * match and has the tool in an active group.
 */
export function grantedForATime(configuration: Configuration, request: ResolveRequest): readonly Policy[] {
  return configuration.accessGrants.flatMap((grant) => {
    const policy = configuration.policies.find(({ name }) => name === grant.policy);
    const tool = configuration.tools.find(({ id }) => id === grant.tool);
    if (policy?.effect !== "request" || tool === undefined) return [];
    if (policy.matchers.length === 0 && !policy.everyone) return [];
    const offers = allGroupNames(configuration).some(
      (group) => speaksOf(policy, group) && isActive(configuration, group) && isMember(configuration, group, tool),
    );
    if (!offers) return [];
    const clients = [request.claims["client_id"], request.claims["azp"]];
    const client = clients.find((one) => typeof one === "string" && one !== "") ?? null;
    const identity = [
      { claim: "iss", operator: "equals" as const, value: grant.issuer, ignoreCase: false },
      { claim: "sub", operator: "equals" as const, value: grant.subject, ignoreCase: false },
    ];
    return {
      ...policy,
      name: `access:${grant.id}`,
      effect: "allow" as const,
      // Never active for another client. Otherwise both the grant and its policy must apply.
      active: policy.active && client === grant.client,
      validFrom: later(policy.validFrom, grant.from),
      validUntil: earlier(policy.validUntil, grant.until),
      matchers: [...identity, ...policy.matchers],
      everyone: false,
      groups: [accessGroup(grant.tool)],
    };
  });
}

/** An unreadable bound disables the grant, as it disables its policy. */
function later(one: string | null, other: string): string {
  if (one === null) return other;
  const [left, right] = [readInstant(one), readInstant(other)];
  return left === null || (right !== null && left > right) ? one : other;
}

function earlier(one: string | null, other: string): string {
  if (one === null) return other;
  const [left, right] = [readInstant(one), readInstant(other)];
  return left === null || (right !== null && left < right) ? one : other;
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
  const matched = [...inOrder(configuration.policies), ...grantedForATime(configuration, request)].filter((policy) =>
    matches(policy, request, now),
  );
  const raw = allGroupNames(configuration).filter((group) =>
    matched.some((policy) => policy.effect === "allow" && speaksOf(policy, group)),
  );
  const denies = matched.filter((policy) => policy.effect === "deny" && policy.arguments.length === 0);
  const granted = raw.filter((group) => !denies.some((policy) => bears(configuration, policy, group)));
  return { matched, raw, granted, denies };
}
