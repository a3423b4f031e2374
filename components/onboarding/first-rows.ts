import { BLANK_GROUP } from "@/components/views/rules/blank-group";
import { BLANK_SELECTOR } from "@/lib/access/matching/selector-clauses";
import type { Input } from "@/lib/resources";
import { UNLIMITED } from "@/lib/resources/parts/no-limits";

/** An example attribute, the same in the suggested policy and agent. */
const TEAM = "example";

/** All tools of a source, as a group. */
export function firstGroup(source = "builtin"): Input<"groups"> {
  return {
    ...BLANK_GROUP,
    name: "first-tools",
    description: `All tools of ${source}.`,
    selectors: [{ ...BLANK_SELECTOR, source }],
  };
}

/** Grants a group to the team that the agent is in. */
export function firstPolicy(group: string | undefined): Input<"policies"> {
  return {
    name: "first-team",
    description: `Tools for agents of the team “${TEAM}”.`,
    effect: "allow",
    maxHours: null,
    approvers: null,
    priority: 0,
    active: true,
    mode: "enforce",
    validFrom: null,
    validUntil: null,
    matchers: [{ claim: "team", operator: "equals", value: TEAM, ignoreCase: false }],
    everyone: false,
    arguments: [],
    groups: group === undefined ? [] : [group],
  };
}

/** An agent of that team. */
export function firstAgent(): Input<"agents"> {
  return {
    name: "first-agent",
    description: "",
    enabled: true,
    disabledReason: null,
    issuer: null,
    subject: null,
    attributes: { team: TEAM },
    persona: null,
    profile: null,
    machine: null,
    stateHeldByServer: true,
    limits: UNLIMITED,
    callbackOrigins: [],
    owners: [],
    ownerGroups: [],
  };
}

/** A key for an agent. */
export function firstKey(agent: string): Input<"api-keys"> {
  return { name: `${agent}-key`.slice(0, 63), agent, expiresAt: null, enabled: true };
}
