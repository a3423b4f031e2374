import { BLANK_AGENT, BLANK_GROUP, BLANK_POLICY } from "@/lib/access/model/blank-rows";
import { BLANK_SELECTOR } from "@/lib/access/matching/selector-clauses";
import { equals } from "@/lib/access/model/matcher";
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
    ...BLANK_POLICY,
    name: "first-team",
    description: `Tools for agents of the team “${TEAM}”.`,
    matchers: [equals("team", TEAM)],
    groups: group === undefined ? [] : [group],
  };
}

/** An agent of that team. */
export function firstAgent(): Input<"agents"> {
  return {
    ...BLANK_AGENT,
    name: "first-agent",
    description: "",
    disabledReason: null,
    attributes: { team: TEAM },
    limits: UNLIMITED,
    callbackOrigins: [],
    owners: [],
    ownerGroups: [],
  };
}

export function firstKey(agent: string): Input<"api-keys"> {
  return { name: `${agent}-key`.slice(0, 63), agent, expiresAt: null, enabled: true };
}
