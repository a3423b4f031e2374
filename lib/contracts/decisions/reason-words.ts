import type { Reason, Step } from "@/lib/access/decide/resolution";

/** Each step in one or two words, as the funnel and the explanation name it. */
export const STEP_WORDS: Readonly<Record<Step, string>> = {
  policy: "Policies",
  group: "Groups",
  enabled: "Enabled",
  request: "Request",
  state: "State",
  flow: "Flow",
  profile: "Profile",
  capability: "Capabilities",
  tier: "Routing tier",
};

/** Each reason in a few words; the code stays visible next to it, for a search of the log. */
export const REASON_WORDS: Readonly<Record<Reason, string>> = {
  paused: "Paused",
  denied_by_policy: "Refused by a policy",
  access_requestable: "Access only on request",
  no_policy_grant: "The caller is granted nothing",
  excluded_from_group: "Excluded from its group",
  group_inactive: "Its group is inactive",
  not_in_granted_group: "Not in a granted group",
  tool_quarantined: "Quarantined",
  tool_deprecated: "Deprecated",
  source_disabled: "Source disabled",
  tool_disabled: "Disabled",
  group_not_requested: "Group not requested",
  state_mismatch: "Not in this state",
  flow_restricted: "Hidden by a flow rule",
  profile_denied: "Not allowed by its profile",
  profile_drift: "Not yet reviewed for profile",
  capability_missing: "Capability missing",
  tier_narrowed: "Outside the routing tier",
};

/** Whether a hidden tool's id, its name, or its reason as code or in words contains a text, in any case. */
export function isFound(
  { toolId, name, reason }: { toolId: string; name: string; reason: Reason },
  text: string,
): boolean {
  return `${toolId} ${name} ${reason} ${REASON_WORDS[reason]}`.toLowerCase().includes(text.trim().toLowerCase());
}
