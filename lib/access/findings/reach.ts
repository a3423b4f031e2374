import { emptyBits, hasBit, setBit, type Bits } from "@/lib/access/model/bitset";
import type { Index } from "@/lib/access/compile/compile";
import { ALL, DEFAULT_GROUP, UNGROUPED, type Tool } from "@/lib/access/model/configuration";
import { toFinding, type Finding } from "@/lib/access/findings/finding";
import type { Constraints } from "@/lib/access/findings/constraints";
import { inCode } from "@/lib/access/model/lists";
import type { Parts } from "@/lib/access/model/parts";

/** The groups of the given policies, as a set of numbers. */
export function groupsOf(policies: readonly Constraints[], size: number): Bits {
  const groups = emptyBits(size);
  for (const { compiled } of policies) for (const group of compiled.groups) setBit(groups, group);
  return groups;
}

/** The active groups of live policies. */
function grantedGroups({ groups }: Index, granting: readonly Constraints[]): Bits {
  return groupsOf(granting, groups.all.length).map((word, at) => word & (groups.active[at] ?? 0));
}

/** Finds denies whose groups hold no tool that a live policy grants or offers: they withhold nothing and affect no call. */
export function findIdleDenies(
  index: Index,
  denying: readonly Constraints[],
  reaching: readonly Constraints[],
): readonly Finding[] {
  const { groups } = index;
  const granted = grantedGroups(index, reaching);
  // Groups that share a granted tool: a deny of such a group withholds something.
  const felt = emptyBits(groups.all.length);
  for (const { members } of groups.groupSets)
    if (members.some((group) => hasBit(granted, group))) for (const group of members) setBit(felt, group);
  return denying.flatMap(({ compiled }) => {
    if (compiled.groups.some((group) => hasBit(felt, group))) return [];
    const { name } = compiled.policy;
    const what = compiled.arguments.length > 0 ? "refuses no call" : "withholds no tool";
    return toFinding({
      kind: "denies_nothing",
      about: { kind: "policy", name },
      text: `\`${name}\` ${what}: no policy grants a tool of its groups.`,
      fix: "Check the groups of the policy, or delete it.",
    });
  });
}

/** Whether a tool and its source are enabled. */
function isInForce({ config }: Index): (tool: Tool) => boolean {
  const sources = new Set(config.sources.filter(({ enabled }) => enabled).map(({ name }) => name));
  return (tool) => tool.enabled && tool.status === "active" && sources.has(tool.source);
}

/**
 * Finds tools that no caller can get: no live policy grants or offers an active group of theirs, or a deny withholds them from
 * every caller. Pauses after each tool, because a catalogue has thousands.
 */
export function* findUngrantedTools(
  index: Index,
  reaching: readonly Constraints[],
  universalDenies: readonly Constraints[],
): Parts<readonly Finding[]> {
  const { tools, groups } = index;
  const granted = grantedGroups(index, reaching);
  const denied = groupsOf(universalDenies, groups.all.length);
  const counts = isInForce(index);
  /** The denies of the tools of a group set. */
  const known = new Map<number, readonly Constraints[]>();
  const findings: Finding[] = [];
  for (const [number, tool] of tools.all.entries()) {
    yield;
    const groupSet = groups.groupSetOf[number] ?? 0;
    const members = groups.groupSets[groupSet]?.members ?? [];
    const isWithheld = members.some((group) => hasBit(denied, group));
    if ((!isWithheld && members.some((group) => hasBit(granted, group))) || !counts(tool)) continue;
    if (isWithheld) {
      const denies = known.get(groupSet) ?? deniesOf(members, universalDenies);
      known.set(groupSet, denies);
      findings.push(withheldFromAll(tool, denies));
    } else {
      const names = members.map((group) => groups.all[group]?.name ?? "");
      findings.push(ungranted(tool, names, granted));
    }
  }
  return findings;
}

function deniesOf(members: readonly number[], denies: readonly Constraints[]): readonly Constraints[] {
  const those = new Set(members);
  return denies.filter(({ compiled }) => compiled.groups.some((group) => those.has(group)));
}

function withheldFromAll(tool: Tool, denies: readonly Constraints[]): Finding {
  const names = denies.map(({ compiled }) => compiled.policy.name);
  return toFinding({
    kind: "tool_not_granted",
    about: { kind: "tool", name: tool.id },
    text: `No caller can see \`${tool.id}\`: ${inCode(names, " and ")} ${names.length === 1 ? "denies" : "deny"} it to every caller.`,
    fix: "Narrow the policy, remove the tool from the denied groups, or disable the tool.",
    refs: names.map((name) => ({ kind: "policy", name })),
  });
}

function ungranted(tool: Tool, names: readonly string[], granted: Bits): Finding {
  const nobody = granted.every((word) => word === 0);
  const inGroups = names.filter((name) => name !== UNGROUPED);
  return toFinding({
    kind: "tool_not_granted",
    about: { kind: "tool", name: tool.id },
    text: nobody
      ? `No caller can see \`${tool.id}\`: no policy grants any group.`
      : inGroups.length === 0
        ? `No caller can see \`${tool.id}\`: it is in no group, and no policy grants everything.`
        : `No caller can see \`${tool.id}\`: no policy grants ${inCode(inGroups, " or ")}.`,
    fix: "Add the tool to a granted group, grant one of its groups, or disable the tool.",
    refs: inGroups.filter((name) => name !== DEFAULT_GROUP).map((name) => ({ kind: "group", name })),
  });
}

/**
 * Finds tools that a policy grants through `default` only because the tools declare no group. Those without side effects
 * are notes, because their calls change nothing.
 */
export function findGrantedByDefault(index: Index, granting: readonly Constraints[]): readonly Finding[] {
  const { tools, groups } = index;
  const byName = granting.filter(({ compiled }) => compiled.policy.groups.includes(DEFAULT_GROUP));
  if (byName.length === 0) return [];
  // A grant of everything also reaches tools in no group, so it does not depend on `default`.
  const other = grantedGroups(
    index,
    granting.filter(({ compiled }) => !compiled.policy.groups.includes(ALL)),
  );
  const byDefault = groups.numberOf.get(DEFAULT_GROUP) ?? -1;
  const policies = byName.map(({ compiled }) => compiled.policy.name);
  const counts = isInForce(index);
  return tools.all.flatMap((tool, number) => {
    if (tool.groups !== null || !counts(tool)) return [];
    const members = groups.groupSets[groups.groupSetOf[number] ?? 0]?.members ?? [];
    if (members.some((group) => group !== byDefault && hasBit(other, group))) return [];
    return toFinding({
      kind: "granted_by_default",
      about: { kind: "tool", name: tool.id },
      text: `\`${tool.id}\` is assigned to no group, so it is in \`default\`, which ${inCode(policies, " and ")} ${policies.length === 1 ? "grants" : "grant"}.`,
      fix: "Set the groups of the tool: `default`, another group, or none.",
      refs: policies.map((name) => ({ kind: "policy", name })),
      severity: tool.hasSideEffects ? "warning" : "info",
    });
  });
}
