import { isAccessGroup } from "@/lib/access/model/access-names";
import { hasBit } from "@/lib/access/model/bitset";
import { missingCapabilities } from "@/lib/access/model/capabilities";
import { UNDEFINED_STATE, UNGROUPED, type Effect, type Tool } from "@/lib/access/model/configuration";
import { toolAt } from "@/lib/access/decide/entries";
import { rulesHeld } from "@/lib/access/compile/flows";
import { pausesOn } from "@/lib/access/decide/pauses";
import { isGroupRequested, type Plan } from "@/lib/access/decide/plan";
import type { Reason, RuleRef, Step } from "@/lib/access/decide/resolution";
import { inCode } from "@/lib/access/model/lists";

/** A verdict in one sentence, with the rules that the sentence names. */
interface StepText {
  readonly detail: string;
  readonly refs: readonly RuleRef[];
}

interface Subject {
  readonly plan: Plan;
  readonly tool: Tool;
  /** The tool's number in the index. */
  readonly number: number;
  /** Numbers of the groups that have the tool. */
  readonly members: readonly number[];
}

const say = (detail: string, ...refs: readonly RuleRef[]): StepText => ({ detail, refs });
const quoted = (names: readonly string[]): string => (names.length === 0 ? "none" : inCode(names));
const groupRefs = (names: readonly string[]): readonly RuleRef[] =>
  names.filter((name) => !isAccessGroup(name)).map((name) => ({ kind: "group", name }));

/** Describes a step's verdict on a tool in words. Decides nothing: the caller passes the reason. */
export function describeStep(plan: Plan, step: Step, number: number, reason: Reason | null): StepText {
  const { groups } = plan.index;
  const members = groups.groupSets[groups.groupSetOf[number] ?? 0]?.members ?? [];
  const subject = { plan, tool: toolAt(plan.index, number), number, members };
  return reason === null ? PASSED[step](subject) : FAILED[reason](subject);
}

/** Names of the tool's groups that pass a test. */
function groupsWhere({ plan, members }: Subject, test: (group: number) => boolean): readonly string[] {
  return members.filter(test).flatMap((group) => plan.index.groups.all[group]?.name ?? []);
}

function policiesOn(plan: Plan, effect: Effect, groups: readonly string[]): readonly RuleRef[] {
  const numbers = groups.flatMap((name) => plan.index.groups.all.findIndex((group) => group.name === name));
  return plan.matched
    .filter((one) => one.policy.effect === effect && (effect !== "deny" || one.arguments.length === 0))
    .filter((one) => numbers.some((number) => one.groups.includes(number)))
    .map(({ policy, grant }) =>
      grant === null ? { kind: "policy", name: policy.name } : { kind: "grant", name: grant.id },
    );
}

const grantedGroups = (subject: Subject) => groupsWhere(subject, (group) => hasBit(subject.plan.granted, group));
/** Granted groups that are not inactive. A preview with disabled tools counts inactive ones too. */
const usableGroups = (subject: Subject) =>
  groupsWhere(subject, (group) => hasBit(subject.plan.granted, group) && hasBit(subject.plan.active, group));

const PASSED: Readonly<Record<Step, (subject: Subject) => StepText>> = {
  policy: (subject) => {
    const groups = usableGroups(subject);
    if (groups.length === 0)
      return say("Policies grant this caller groups. The next step checks whether this tool is in one.");
    return say(`Granted through ${quoted(groups)}.`, ...policiesOn(subject.plan, "allow", groups));
  },
  group: (subject) => {
    const groups = usableGroups(subject);
    return say(`In the granted ${groups.length === 1 ? "group" : "groups"} ${quoted(groups)}.`, ...groupRefs(groups));
  },
  enabled: () => say("The tool and its source are enabled."),
  request: (subject) => {
    if (subject.plan.requested === null) return say("The request does not narrow groups.");
    const requested = groupsWhere(subject, (group) => isGroupRequested(subject.plan, group));
    return say(`The request names ${quoted(requested)}.`, ...groupRefs(requested));
  },
  state: ({ plan }) =>
    plan.request.machine === null && plan.state === UNDEFINED_STATE
      ? say("The caller has no state machine.")
      : say(`Available ${stateText(plan.state)}.`),
  flow: ({ plan }) => {
    const { labels } = plan.request;
    if (labels.length > 0) return say(`The caller holds ${quoted(labels)}, and no rule hides the tool for that.`);
    // Without an enforced rule, no labels are read: the caller may hold some (docs/reference/decision.md#flow).
    if (plan.index.flows.all.length === 0) return say("No flow rule is enforced, so labels hide no tool.");
    return say("The caller holds no labels.");
  },
  profile: ({ plan }) =>
    say(`Allowed by ${quoted(plan.profiles)}.`, ...plan.profiles.map((name) => ({ kind: "profile" as const, name }))),
  capability: ({ tool }) =>
    say(
      tool.requiredCapabilities.length === 0
        ? "No capability is required."
        : `The caller has ${quoted(tool.requiredCapabilities)}.`,
    ),
  tier: ({ plan }) =>
    say(
      plan.tier.groups === null
        ? "Routing keeps every tool."
        : `In a group that routing keeps: ${quoted(plan.tier.groups)}.`,
    ),
};

const FAILED: Readonly<Record<Reason, (subject: Subject) => StepText>> = {
  paused: ({ plan, tool }) => {
    const pauses = pausesOn(plan, tool);
    const words = pauses.map(
      ({ scope, target, reason }) =>
        `${scope === "all" ? "everything" : `${scope} \`${target ?? ""}\``}${reason === "" ? "" : ` (${reason})`}`,
    );
    return say(
      `Paused: ${words.join(", ")}.`,
      ...pauses.map(({ target }) => ({ kind: "pause" as const, name: target ?? "all" })),
    );
  },
  denied_by_policy: (subject) => {
    const { plan } = subject;
    const denied = groupsWhere(subject, (group) => plan.denied !== null && hasBit(plan.denied, group));
    const denies = policiesOn(plan, "deny", denied);
    const unreadable = denies.filter(({ name }) =>
      plan.matched.some((one) => one.unreadable && one.policy.name === name),
    );
    if (unreadable.length > 0) {
      const names = quoted(unreadable.map(({ name }) => name));
      return say(`${names} denies every tool, because a pattern of one of its groups is not valid.`, ...unreadable);
    }
    const verb = denies.length === 1 ? "denies" : "deny";
    return say(`${quoted(denies.map(({ name }) => name))} ${verb} ${quoted(denied)}.`, ...denies, ...groupRefs(denied));
  },
  access_requestable: (subject) => {
    const { plan } = subject;
    const groups = groupsWhere(subject, (group) => plan.requestable !== null && hasBit(plan.requestable, group));
    const policies = policiesOn(plan, "request", groups);
    const names = quoted(policies.map(({ name }) => name));
    return say(`No policy grants it. The caller may request access under ${names}.`, ...policies);
  },
  no_policy_grant: () => say("No policy grants this caller any tools."),
  excluded_from_group: ({ plan, tool, number }) => {
    const { groups } = plan.index;
    const excluded = groups.groupSets[groups.groupSetOf[number] ?? 0]?.excluded ?? [];
    const from = excluded.filter((group) => hasBit(plan.granted, group)).flatMap((group) => groups.all[group] ?? []);
    const why = from.flatMap(
      ({ group }) => group?.exclude.filter((entry) => entry.tool === tool.id && entry.reason !== "") ?? [],
    );
    const names = from.map(({ name }) => name);
    return say(
      `Excluded from ${quoted(names)}${why.length === 0 ? "" : `: ${why.map(({ reason }) => reason).join("; ")}`}.`,
      ...groupRefs(names),
    );
  },
  group_inactive: (subject) =>
    say(`The group is inactive: ${quoted(grantedGroups(subject))}.`, ...groupRefs(grantedGroups(subject))),
  not_in_granted_group: (subject) => {
    const own = groupsWhere(subject, () => true).filter((name) => !isAccessGroup(name));
    const denies = grantedGroups(subject).length === 0 ? [] : policiesOn(subject.plan, "deny", own);
    if (denies.length > 0) return say("Denied in every group that would grant it.", ...denies);
    return own.length === 1 && own[0] === UNGROUPED
      ? say("In no group.", ...groupRefs(own))
      : say(`In no granted group; it is in ${quoted(own)}.`, ...groupRefs(own));
  },
  tool_quarantined: ({ tool }) =>
    say("The definition changed and is not approved yet.", { kind: "tool", name: tool.id }),
  tool_deprecated: ({ tool }) =>
    say("The tool is deprecated: its source removed it, or a person retired it.", { kind: "tool", name: tool.id }),
  source_disabled: ({ plan, tool }) => {
    const source = plan.index.config.sources.find(({ name }) => name === tool.source);
    const text = withReason(`Source \`${tool.source}\` is disabled or missing`, source?.disabledReason);
    return say(text, { kind: "source", name: tool.source });
  },
  tool_disabled: ({ tool }) =>
    say(withReason("The tool is disabled", tool.disabledReason), { kind: "tool", name: tool.id }),
  group_not_requested: (subject) => {
    const own = usableGroups(subject).length > 0 ? usableGroups(subject) : groupsWhere(subject, () => true);
    return say(`The request names ${quoted(subject.plan.request.group ?? [])}, not ${quoted(own)}.`, ...groupRefs(own));
  },
  state_mismatch: ({ plan, tool }) => {
    const states = plan.index.machines.get(plan.request.machine)?.statesOf(tool) ?? [];
    const ref: RuleRef =
      plan.request.machine === null ? { kind: "tool", name: tool.id } : { kind: "machine", name: plan.request.machine };
    return say(`Not available ${stateText(plan.state)}; available in ${quoted(states)}.`, ref);
  },
  flow_restricted: ({ plan, number }) => {
    const closed = plan.gates.flow.filter(({ passing }) => !hasBit(passing, number)).map(({ name = "" }) => name);
    const rules = rulesHeld(plan.index.flows, plan.request.labels).filter(({ rule }) => closed.includes(rule.name));
    const labels = [...new Set(rules.flatMap(({ rule }) => rule.when))];
    const verb = closed.length === 1 ? "hides" : "hide";
    const hides = `${quoted(closed)} ${verb} the tool`;
    return say(
      labels.length === 0 ? `${hides} from every caller.` : `The caller holds ${inCode(labels)}: ${hides}.`,
      ...closed.map((name) => ({ kind: "flow" as const, name })),
    );
  },
  profile_denied: (subject) => profileText(subject, "profile_denied", "Denied by"),
  profile_drift: (subject) => profileText(subject, "profile_drift", "New or changed since the last review of"),
  capability_missing: ({ plan, tool }) =>
    say(`The caller lacks ${quoted(missingCapabilities(tool.requiredCapabilities, plan.request.capabilities))}.`, {
      kind: "tool",
      name: tool.id,
    }),
  tier_narrowed: ({ plan }) =>
    say(`Intent \`${plan.request.intent ?? ""}\` keeps ${quoted(plan.tier.groups ?? [])}.`, {
      kind: "intent",
      name: plan.request.intent ?? "",
    }),
};

function withReason(sentence: string, reason: string | null | undefined): string {
  return reason === null || reason === undefined ? `${sentence}.` : `${sentence}: ${reason}`;
}

function profileText({ plan, number }: Subject, reason: Reason, beginning: string): StepText {
  const closed = plan.gates.profile.filter((gate) => gate.reason === reason && !hasBit(gate.passing, number));
  const names = closed.flatMap(({ name }) => name ?? []);
  return say(`${beginning} ${quoted(names)}.`, ...names.map((name) => ({ kind: "profile" as const, name })));
}

/** The state in words. `undefined`, the initial state of the built-in machine, is not a name that people know. */
function stateText(state: string): string {
  return state === UNDEFINED_STATE ? "before the first transition" : `in state \`${state}\``;
}
