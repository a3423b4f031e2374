import { DEFAULT_GROUP, UNGROUPED, type Configuration, type Policy, type Tool } from "@/lib/access/model/configuration";
import { missingCapabilities } from "@/test/access/oracle/capabilities";
import { takesIn } from "@/test/access/oracle/fix";
import { isExcluded, isMember } from "@/test/access/oracle/groups";
import { allGroupNames, speaksOf } from "@/test/access/oracle/policies";
import type { Question } from "@/test/access/seen";

/** One change, in words, and the question after it. */
export interface SingleChange {
  readonly what: string;
  readonly after: Question;
}

/**
 * Every change that a fix counts as one (docs/reference/decision.md#fix), applied alone: an admin could make it in one
 * step to show the tool. `joins`: includes adding the tool to another group.
 */
export function singleChanges(question: Question, tool: Tool, joins: boolean): readonly SingleChange[] {
  return [
    ...policyChanges(question),
    ...groupChanges(question, tool, joins),
    ...requestChanges(question, tool),
    ...enablingChanges(question, tool),
  ];
}

function changed(question: Question, what: string, configuration: Partial<Configuration>): SingleChange {
  return { what, after: { ...question, configuration: { ...question.configuration, ...configuration } } };
}

function without<Row>(rows: readonly Row[], gone: Row): readonly Row[] {
  return rows.filter((row) => row !== gone);
}

/** Each matcher removed, each cause removed that keeps a policy from applying, each deny removed. */
function policyChanges(question: Question): readonly SingleChange[] {
  const { policies } = question.configuration;
  return policies.flatMap((policy) => {
    if (policy.effect === "deny")
      return [changed(question, `deny ${policy.name} gone`, { policies: without(policies, policy) })];
    // A person grants the request: the caller has what the policy offers.
    if (policy.effect === "request")
      return [
        changed(question, `request ${policy.name} granted`, {
          policies: [...without(policies, policy), { ...policy, effect: "allow" }],
        }),
      ];
    const applied: readonly Policy[] = [
      { ...policy, active: true },
      { ...policy, mode: "enforce" },
      { ...policy, validFrom: null, validUntil: null },
    ];
    const easier = policy.matchers.map((matcher) => {
      const matchers = without(policy.matchers, matcher);
      return { ...policy, matchers, everyone: matchers.length === 0 };
    });
    return [...applied, ...easier, ...(policy.matchers.length === 0 ? [{ ...policy, everyone: true }] : [])].map(
      (better) =>
        changed(question, `policy ${policy.name} easier`, { policies: [...without(policies, policy), better] }),
    );
  });
}

/**
 * Each group activated; and, when no policy grants a group with the tool: the tool added to a group, or a group
 * granted.
 */
function groupChanges(question: Question, tool: Tool, joins: boolean): readonly SingleChange[] {
  const { configuration } = question;
  const { groups } = configuration;
  const activated = groups.map((group) =>
    changed(question, `group ${group.name} active`, {
      groups: [...without(groups, group), { ...group, active: true }],
    }),
  );
  const having = allGroupNames(configuration).filter((name) => isMember(configuration, name, tool));
  const spoken = configuration.policies.some(
    (policy) => policy.effect !== "deny" && having.some((name) => speaksOf(policy, name)),
  );
  if (spoken) return activated;
  const named = groups.filter(({ name }) => name !== DEFAULT_GROUP && takesIn(configuration, name, tool));
  const joined = named.map((group) => {
    const exclude = group.exclude.filter((exclusion) => exclusion.tool !== tool.id);
    const include = isExcluded(configuration, group.name, tool)
      ? group.include
      : [...group.include, { tool: tool.id, who: null, when: null }];
    return changed(question, `joins ${group.name}`, {
      groups: [...without(groups, group), { ...group, include, exclude }],
    });
  });
  const granted = having
    .filter((name) => name !== UNGROUPED)
    .map((name) =>
      changed(question, `${name} granted`, { policies: [...configuration.policies, { ...GRANT, groups: [name] }] }),
    );
  return [...activated, ...granted, ...(joins ? joined : [])];
}

const GRANT: Policy = {
  name: "granted-to-everyone",
  description: "",
  effect: "allow",
  priority: 0,
  active: true,
  validFrom: null,
  validUntil: null,
  matchers: [],
  everyone: true,
  arguments: [],
  groups: [],
};

/** All groups requested, each state, each profile removed, each capability, escalation. */
function requestChanges(question: Question, tool: Tool): readonly SingleChange[] {
  const { configuration, request } = question;
  const machine = configuration.machines.find(({ name }) => name === request.machine);
  const states = ["undefined", ...(tool.availableInStates ?? []), ...(machine?.states.map(({ name }) => name) ?? [])];
  return [
    { ...request, group: null },
    ...states.map((state) => ({ ...request, state })),
    ...request.profiles.map((profile) => ({ ...request, profiles: without(request.profiles, profile) })),
    ...missingCapabilities(tool.requiredCapabilities, request.capabilities).map((name) => ({
      ...request,
      capabilities: [...request.capabilities, name],
    })),
    { ...request, escalated: true },
  ].map((asked) => ({ what: `asked ${JSON.stringify(asked)}`, after: { ...question, request: asked } }));
}

/** Each pause ended, each flow rule removed; the tool and its source enabled, its definition accepted. */
function enablingChanges(question: Question, tool: Tool): readonly SingleChange[] {
  const { configuration, request } = question;
  const { pauses, flows, tools, sources, driftAcceptances } = configuration;
  const source = sources.find(({ name }) => name === tool.source) ?? {
    name: tool.source,
    kind: "http" as const,
    enabled: false,
  };
  return [
    ...pauses.map((pause) => ({ pauses: without(pauses, pause) })),
    ...flows.map((rule) => ({ flows: without(flows, rule) })),
    { tools: [...without(tools, tool), { ...tool, enabled: true }] },
    { tools: [...without(tools, tool), { ...tool, status: "active" as const }] },
    { sources: [...without(sources, source), { ...source, enabled: true }] },
    ...request.profiles.map((profile) => ({
      driftAcceptances: [...driftAcceptances, { profile, tool: tool.id, definitionHash: tool.definitionHash }],
    })),
  ].map((better) => changed(question, `${Object.keys(better).join()} switched on`, better));
}
