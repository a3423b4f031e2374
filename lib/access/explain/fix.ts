import { hasBit } from "@/lib/access/model/bitset";
import { missingCapabilities } from "@/lib/access/model/capabilities";
import { ALL, DEFAULT_GROUP, type JsonObject, type Tool } from "@/lib/access/model/configuration";
import { judgeGroupSet } from "@/lib/access/compile/group-sets";
import { bringsLeast, type CompiledGroup } from "@/lib/access/compile/groups";
import { describeMatcher } from "@/lib/access/matching/matcher-text";
import { pausesOn } from "@/lib/access/decide/pauses";
import { isGroupRequested, type Plan } from "@/lib/access/decide/plan";
import { inOrder, matcherHolds, namesEveryGroup, type CompiledPolicy } from "@/lib/access/compile/policies";
import type { Fix, FixChange, RuleRef } from "@/lib/access/decide/resolution";
import { toolAt } from "@/lib/access/decide/entries";
import { inCode } from "@/lib/access/model/lists";

/**
 * The smallest change that would show a hidden tool (docs/reference/decision.md#fix): the cheapest pair of a group and
 * a policy that grants it, plus the changes that every pair needs.
 */
export function smallestFix(plan: Plan, number: number): Fix {
  const tool = toolAt(plan.index, number);
  const grant = isGranted(plan, number) ? [] : cheapestGrant(plan, number, tool);
  const changes = [...grant, ...outside(plan, number, tool)];
  return { size: changes.length, changes };
}

/** Whether a group lets the tool through already, such as that of an access grant, and only a later step hides it. */
function isGranted(plan: Plan, number: number): boolean {
  const { policy, group, request } = judgeGroupSet(plan, plan.index.groups.groupSetOf[number] ?? 0);
  return policy === null && group === null && request === null;
}

function change(kind: FixChange["kind"], text: string, ...refs: readonly RuleRef[]): FixChange {
  return { kind, text, refs };
}

/**
 * A tie goes to the group that brings least, then to a policy with conditions on arguments, then to the earlier policy: all
 * follow from the order of the loops.
 */
function cheapestGrant(plan: Plan, number: number, tool: Tool): readonly FixChange[] {
  const { groups, policiesNaming } = plan.index;
  const having = storedGroups(plan, number).toSorted(bringsLeast(groups));
  const ofGrants = new Set(groups.access.values());
  let best: readonly FixChange[] | null = null;
  const offer = (changes: readonly FixChange[]): void => {
    if (best === null || changes.length < best.length) best = changes;
  };
  const offerPairs = (group: number): void => {
    const rest = groupChanges(plan, group, number, tool);
    const policies = inOrder([...policiesNaming.everyGroup, ...(policiesNaming.group[group] ?? [])]);
    for (const policy of policies.toSorted((left, right) => rankOf(left) - rankOf(right)))
      if (policy.policy.effect !== "deny" && policy.grant === null)
        offer([...policyChanges(policy, plan.request.claims, plan.now), ...rest]);
  };
  having.forEach(offerPairs);
  if (best !== null) return best;
  const named = having.filter((group) => group !== groups.ungrouped);
  for (const group of named) {
    const ref = groupRef(groups.all[group]);
    const grant = change("policy", `grant group \`${ref.name}\` to this caller`, ref);
    offer([grant, ...groupChanges(plan, group, number, tool)]);
  }
  if (named.length === 0) offer(newGroupChanges(plan, having, tool));
  const others = [...groups.all.keys()].filter((other) => {
    const { name, error, sideEffects } = groups.all[other] ?? { name: DEFAULT_GROUP, error: null, sideEffects: 0 };
    return (
      other !== groups.ungrouped &&
      name !== DEFAULT_GROUP &&
      error === null &&
      // No fix puts a tool that writes into a group of tools that only read.
      (!tool.hasSideEffects || sideEffects > 0) &&
      !having.includes(other) &&
      !ofGrants.has(other)
    );
  });
  others.toSorted(bringsLeast(groups)).forEach(offerPairs);
  return best ?? [];
}

/** A policy with conditions on arguments grants less than one without. */
function rankOf(policy: CompiledPolicy): number {
  return policy.arguments.length > 0 ? 0 : 1;
}

/** The groups of a tool, without the group of its access grants. */
function storedGroups({ index: { tools, groups } }: Plan, number: number): readonly number[] {
  const members = groups.groupSets[groups.groupSetOf[number] ?? 0]?.members ?? [];
  const ofGrants = groups.access.get(tools.all[number]?.id ?? "");
  return ofGrants === undefined ? members : members.filter((group) => group !== ofGrants);
}

/** The matchers that do not hold, and each reason why the policy itself does not apply. */
function policyChanges(compiled: CompiledPolicy, claims: JsonObject, now: number): readonly FixChange[] {
  const { policy, matchers } = compiled;
  const ref: RuleRef = { kind: "policy", name: policy.name };
  const unheld = matchers.filter((matcher) => !matcherHolds(policy, matcher, claims, now));
  const changes = unheld.map((matcher, index) =>
    change("matcher", `${index === 0 ? `match policy \`${policy.name}\`: ` : ""}${describeMatcher(matcher)}`, ref),
  );
  if (matchers.length === 0 && !policy.everyone)
    changes.push(change("policy", `give policy \`${policy.name}\` a condition`, ref));
  if (policy.effect === "request") {
    const hours = `${policy.maxHours ?? 0} ${policy.maxHours === 1 ? "hour" : "hours"}`;
    changes.push(change("access", `request access: policy \`${policy.name}\` offers it for up to ${hours}`, ref));
  }
  if (!policy.active) changes.push(change("policy", `activate policy \`${policy.name}\``, ref));
  if (policy.mode === "observe") changes.push(change("policy", `enforce policy \`${policy.name}\``, ref));
  if (now < compiled.from || now >= compiled.until) {
    const when = now < compiled.from ? "not yet" : "no longer";
    changes.push(change("policy", `extend policy \`${policy.name}\`: it is ${when} valid`, ref));
  }
  return changes;
}

/** The denies to lift, and the changes that make the group let the tool through. */
function groupChanges(plan: Plan, number: number, toolNumber: number, tool: Tool): readonly FixChange[] {
  const { groups } = plan.index;
  const group = groups.all[number];
  const name = group?.name ?? "";
  const ref = groupRef(group);
  const having = groups.groupSets[groups.groupSetOf[toolNumber] ?? 0]?.members ?? [];
  const changes = liftedDenies(plan, [...new Set([...having, number])]);
  if (!hasBit(plan.active, number)) changes.push(change("group", `activate group \`${name}\``, ref));
  const groupSet = groups.groupSets[groups.groupSetOf[toolNumber] ?? 0];
  if (groupSet?.excluded.includes(number) === true)
    changes.push(change("group", `remove the exclusion of \`${tool.id}\` from group \`${name}\``, ref));
  else if (groupSet?.members.includes(number) !== true)
    changes.push(change("group", `include \`${tool.id}\` in group \`${name}\``, ref));
  if (!isGroupRequested(plan, number))
    changes.push(
      change(
        "request",
        `name the group \`${number === groups.ungrouped ? ALL : name}\` in the \`group\` of the request or session`,
        ref,
      ),
    );
  return changes;
}

/** A new group that holds the tool alone, and its grant: `default` would bring other tools and other callers along. */
function newGroupChanges(plan: Plan, having: readonly number[], tool: Tool): readonly FixChange[] {
  const changes = [
    change("group", `create a group that holds only \`${tool.id}\``, { kind: "tool", name: tool.id }),
    change("policy", "grant this group to this caller"),
    ...liftedDenies(plan, having),
  ];
  if (plan.requested !== null) changes.push(change("request", "request this group"));
  return changes;
}

/**
 * A deny withholds its groups' tools, whatever group grants them. Every deny of any of these groups must therefore go, and
 * every deny of all groups: it withholds a tool of no group too.
 */
function liftedDenies({ index, matched }: Plan, groups: readonly number[]): FixChange[] {
  const denies = matched.filter(
    ({ policy, arguments: conditions }) => policy.effect === "deny" && conditions.length === 0,
  );
  return denies.flatMap((compiled) => {
    const { policy, groups: denied } = compiled;
    const names = groups.filter((group) => denied.includes(group)).map((group) => index.groups.all[group]?.name ?? "");
    const isOfAll = namesEveryGroup(compiled);
    if (names.length === 0 && !isOfAll) return [];
    const what = isOfAll ? "every tool" : `group ${inCode(names)}`;
    return change("deny", `stop policy \`${policy.name}\` from denying ${what}`, {
      kind: "policy",
      name: policy.name,
    });
  });
}

function groupRef(group: CompiledGroup | undefined): RuleRef {
  return { kind: "group", name: group?.name ?? DEFAULT_GROUP };
}

/** The changes that are needed whatever the policies grant. */
function outside(plan: Plan, number: number, tool: Tool): readonly FixChange[] {
  const { gates } = plan;
  const closed = (step: keyof Plan["gates"]) => gates[step].filter((gate) => !hasBit(gate.passing, number));
  const changes = pausesOn(plan, tool).map(({ scope, target }) =>
    change("pause", scope === "all" ? "end the pause" : `end the pause of ${scope} \`${target ?? ""}\``, {
      kind: "pause",
      name: target ?? "all",
    }),
  );
  for (const { reason } of closed("enabled"))
    changes.push(ENABLE[reason]?.(tool) ?? change("enable", `enable \`${tool.id}\``));
  if (closed("state").length > 0) changes.push(stateChange(plan, tool));
  for (const { name = "" } of closed("flow")) changes.push(flowChange(plan, name));
  const profiles = new Map(
    closed("profile")
      .toReversed()
      .map(({ name = "", reason }) => [name, reason]),
  );
  for (const [name, reason] of profiles) {
    const ref: RuleRef = { kind: "profile", name };
    if (reason === "profile_drift") changes.push(change("drift", `accept \`${tool.id}\` for profile \`${name}\``, ref));
    else changes.push(change("profile", `use a profile other than \`${name}\``, ref));
  }
  for (const missing of missingCapabilities(tool.requiredCapabilities, plan.request.capabilities))
    changes.push(capabilityChange(plan, tool, missing));
  if (closed("tier").length > 0) {
    const intent = plan.request.intent ?? "";
    changes.push(
      change("tier", `add a group of the tool to intent \`${intent}\`, or escalate`, { kind: "intent", name: intent }),
    );
  }
  return changes;
}

/** A persona grants capabilities. Without one, the token of the caller does; an API key has none. */
function capabilityChange({ request: { agent }, index }: Plan, tool: Tool, missing: string): FixChange {
  const registered = index.config.agents.find(({ name }) => name === agent);
  const persona = registered?.persona ?? null;
  if (persona !== null)
    return change("capability", `grant capability \`${missing}\` to persona \`${persona}\``, {
      kind: "persona",
      name: persona,
    });
  if (agent === null) return change("capability", `grant capability \`${missing}\``, { kind: "tool", name: tool.id });
  // A persona's capabilities replace those of the token.
  const kept = (registered?.issuer ?? null) === null ? "" : " and those that its token has now";
  const text = `give agent \`${agent}\` a persona with capability \`${missing}\`${kept}`;
  return change("capability", text, {
    kind: "agent",
    name: agent,
  });
}

const ENABLE: Readonly<Record<string, (tool: Tool) => FixChange>> = {
  tool_quarantined: ({ id }) =>
    change("enable", `approve the changed definition of \`${id}\``, { kind: "tool", name: id }),
  tool_deprecated: ({ id }) =>
    change(
      "enable",
      `\`${id}\` is deprecated: import it again if its source removed it, else set its status to active`,
      { kind: "tool", name: id },
    ),
  source_disabled: ({ source }) => change("enable", `enable source \`${source}\``, { kind: "source", name: source }),
  tool_disabled: ({ id }) => change("enable", `enable tool \`${id}\``, { kind: "tool", name: id }),
};

function flowChange({ index }: Plan, name: string): FixChange {
  const labels = index.flows.all.find(({ rule }) => rule.name === name)?.rule.when ?? [];
  // A stored rule without labels always applies.
  const clear = labels.length === 0 ? "" : `clear ${inCode(labels, " or ")}, or `;
  const text = `${clear}change flow rule \`${name}\``;
  return change("flow", text, { kind: "flow", name });
}

function stateChange({ index, request }: Plan, tool: Tool): FixChange {
  const states = index.machines.get(request.machine)?.statesOf(tool) ?? [];
  const text =
    states.length === 0
      ? `make \`${tool.id}\` available in a state`
      : `be in ${states.length === 1 ? "state" : "one of these states:"} ${inCode(states)}`;
  return change(
    "state",
    text,
    request.machine === null ? { kind: "tool", name: tool.id } : { kind: "machine", name: request.machine },
  );
}
