import {
  ALL,
  UNDEFINED_STATE,
  type Configuration,
  type Machine,
  type Pause,
  type Tool,
} from "@/lib/access/model/configuration";
import type { Reason, ResolveRequest, RoutingMode, Step } from "@/lib/access/decide/resolution";
import { missingCapabilities } from "@/test/access/oracle/capabilities";
import { hidingRules } from "@/test/access/oracle/flows";
import { howTaken, isActive, isExcluded, isMember } from "@/test/access/oracle/groups";
import { isAvailable, stateOf } from "@/test/access/oracle/machines";
import { accessGroup, allGroupNames, bears, isAccessGroup, grantsOf, type Grants } from "@/test/access/oracle/policies";
import { profileVerdict } from "@/test/access/oracle/profiles";
import { routingOf } from "@/test/access/oracle/routing";

/** The facts about a caller that do not depend on a tool. */
export interface Caller extends Grants {
  readonly configuration: Configuration;
  readonly request: ResolveRequest;
  readonly now: number;
  readonly groupNames: readonly string[];
  readonly requested: readonly string[];
  readonly machine: Machine | null;
  readonly state: string;
  readonly profiles: readonly string[];
  readonly mode: RoutingMode;
  readonly tier: readonly string[] | null;
}

/** One step's verdict: `null` = passed. */
export interface Verdict {
  readonly step: Step;
  readonly passed: boolean;
  readonly reason: Reason | null;
}

/** Looks up the names of a request. Throws when the machine does not exist. */
export function callerOf(configuration: Configuration, request: ResolveRequest, now: number): Caller {
  const machine = request.machine === null ? null : configuration.machines.find(({ name }) => name === request.machine);
  if (machine === undefined) throw new Error(`no machine ${request.machine ?? UNDEFINED_STATE}`);
  return {
    ...grantsOf(configuration, request, now),
    ...routingOf(configuration, request),
    configuration,
    request,
    now,
    machine,
    groupNames: allGroupNames(configuration),
    requested: request.group ?? [ALL],
    state: stateOf(machine, request.state),
    profiles: request.profiles.length === 0 ? ["main"] : request.profiles,
  };
}

/** All nine steps, each judged independently (docs/reference/decision.md#explanation). */
export function verdictsOn(caller: Caller, tool: Tool): readonly Verdict[] {
  return [
    verdict("policy", isRequestable(caller, tool) ? "access_requestable" : policyReason(caller, tool)),
    ...laterVerdicts(caller, tool),
  ];
}

function laterVerdicts(caller: Caller, tool: Tool): readonly Verdict[] {
  const { configuration, request } = caller;
  return [
    verdict("group", groupReason(caller, tool)),
    verdict("enabled", request.includeDisabled ? null : (enabledReasons(configuration, tool)[0] ?? null)),
    verdict("request", isRequested(caller, tool) ? null : "group_not_requested"),
    verdict("state", isAvailable(configuration, caller.machine, caller.state, tool) ? null : "state_mismatch"),
    verdict("flow", hidingRules(configuration, request.labels, tool).length === 0 ? null : "flow_restricted"),
    verdict("profile", profileReason(caller, tool)),
    verdict(
      "capability",
      missingCapabilities(tool.requiredCapabilities, request.capabilities).length === 0 ? null : "capability_missing",
    ),
    verdict("tier", isInTier(caller, tool) ? null : "tier_narrowed"),
  ];
}

/** The tool is hidden now, and would be visible if every matching request policy were an allow. */
export function isRequestable(caller: Caller, tool: Tool): boolean {
  const { configuration, request, now } = caller;
  const wishes = caller.matched.filter(({ effect }) => effect === "request");
  if (wishes.length === 0 || isVisible(caller, tool)) return false;
  const policies = configuration.policies.map((policy) =>
    wishes.includes(policy) ? { ...policy, effect: "allow" as const } : policy,
  );
  // The grants rest on request policies, which are gone: they are tested above, and the tool is hidden in spite of them.
  return isVisible(callerOf({ ...configuration, policies, accessGrants: [] }, request, now), tool);
}

function isVisible(caller: Caller, tool: Tool): boolean {
  return policyReason(caller, tool) === null && laterVerdicts(caller, tool).every(({ passed }) => passed);
}

function verdict(step: Step, reason: Reason | null): Verdict {
  return { step, passed: reason === null, reason };
}

/** The pauses that stop a tool for this caller, ignoring `includeDisabled`. */
export function pausesOn(caller: Caller, tool: Tool): readonly Pause[] {
  return caller.configuration.pauses.filter(
    ({ scope, target }) =>
      scope === "all" ||
      (scope === "source" && target === tool.source) ||
      (scope === "agent" && target !== null && target === caller.request.agent),
  );
}

/** Whether a group counts as active for this request. */
export function counts(caller: Caller, group: string): boolean {
  return caller.request.includeDisabled || isActive(caller.configuration, group);
}

/**
 * Whether the request covers a group; `"*"` covers all groups, and only it covers `(ungrouped)`. A request for any group
 * of a tool covers the group of its access grants.
 */
export function asksFor(caller: Caller, group: string): boolean {
  if (isAccessGroup(group) && !caller.requested.includes(ALL)) {
    const tool = caller.configuration.tools.find(({ id }) => accessGroup(id) === group);
    return caller.groupNames.some(
      (other) =>
        !isAccessGroup(other) &&
        tool !== undefined &&
        isMember(caller.configuration, other, tool) &&
        asksFor(caller, other),
    );
  }
  return caller.requested.includes(ALL) || (group !== "(ungrouped)" && caller.requested.includes(group));
}

/** Whether a matching deny without arguments withholds the tool: it names a group with the tool, active or not. */
export function isDenied({ configuration, denies, groupNames }: Caller, tool: Tool): boolean {
  const having = groupNames.filter((group) => isMember(configuration, group, tool));
  return denies.some((policy) => having.some((group) => bears(configuration, policy, group)));
}

/** Granted, active groups that have the tool and let it through, sorted. */
export function grantedGroupsOf(caller: Caller, tool: Tool): readonly string[] {
  if (isDenied(caller, tool)) return [];
  return caller.granted
    .filter((group) => counts(caller, group) && isMember(caller.configuration, group, tool))
    .toSorted();
}

/** All reasons of the step "enabled" for the tool, in the order of the table. */
export function enabledReasons(configuration: Configuration, tool: Tool): readonly Reason[] {
  const reasons: Reason[] = [];
  if (tool.status === "quarantined") reasons.push("tool_quarantined");
  if (tool.status === "deprecated") reasons.push("tool_deprecated");
  if (configuration.sources.find(({ name }) => name === tool.source)?.enabled !== true) reasons.push("source_disabled");
  if (!tool.enabled) reasons.push("tool_disabled");
  return reasons;
}

function policyReason(caller: Caller, tool: Tool): Reason | null {
  if (!caller.request.includeDisabled && pausesOn(caller, tool).length > 0) return "paused";
  const would = caller.raw.some((group) => counts(caller, group) && isMember(caller.configuration, group, tool));
  if (would && isDenied(caller, tool)) return "denied_by_policy";
  return caller.granted.length === 0 ? "no_policy_grant" : null;
}

function groupReason(caller: Caller, tool: Tool): Reason | null {
  const { configuration } = caller;
  if (grantedGroupsOf(caller, tool).length > 0) return null;
  const would = caller.granted.filter((group) => howTaken(configuration, group, tool).length > 0);
  if (would.length > 0 && would.every((group) => isExcluded(configuration, group, tool))) return "excluded_from_group";
  if (would.some((group) => !counts(caller, group) && isMember(configuration, group, tool))) return "group_inactive";
  return "not_in_granted_group";
}

function isRequested(caller: Caller, tool: Tool): boolean {
  if (caller.requested.includes(ALL)) return true;
  const granted = grantedGroupsOf(caller, tool);
  const having =
    granted.length > 0 ? granted : caller.groupNames.filter((group) => isMember(caller.configuration, group, tool));
  return having.some((group) => asksFor(caller, group));
}

function profileReason(caller: Caller, tool: Tool): Reason | null {
  const verdicts = caller.profiles.map((profile) => profileVerdict(caller.configuration, profile, tool));
  if (verdicts.includes("profile_denied")) return "profile_denied";
  return verdicts.includes("profile_drift") ? "profile_drift" : null;
}

/** Step 9: whether one of the kept groups contains the tool. */
export function isInTier(caller: Caller, tool: Tool): boolean {
  return caller.tier === null || caller.tier.some((group) => isMember(caller.configuration, group, tool));
}
