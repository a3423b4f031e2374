import type { Index } from "@/lib/access/compile/compile";
import { isApplied } from "@/lib/access/compile/policies";
import { ALL, DEFAULT_GROUP, UNGROUPED, type Group } from "@/lib/access/model/configuration";
import { toFinding, type Finding } from "@/lib/access/findings/finding";
import { VERBS } from "@/lib/access/findings/policies";
import { isProblem } from "@/lib/access/model/problem";
import { compileSelector, selectorFacts, type SelectorFacts } from "@/lib/access/matching/selectors";

/** Findings about the groups that policies name: unknown, inactive, or without tools. */
export function findInGrants({ policies, groups }: Index): readonly Finding[] {
  return policies
    .filter(({ policy, grant }) => isApplied(policy) && grant === null)
    .flatMap(({ policy }) => {
      const about = { kind: "policy" as const, name: policy.name };
      const verb = VERBS[policy.effect];
      return policy.groups.flatMap((name) => {
        if (name === ALL) return [];
        const group = groups.all[groups.numberOf.get(name) ?? -1];
        const subject = { about, what: name };
        if (group === undefined)
          return toFinding({
            ...subject,
            kind: "grants_missing_group",
            text: `\`${policy.name}\` ${verb} \`${name}\`, a group that does not exist.`,
            fix:
              name === UNGROUPED
                ? 'Grant `"*"` to reach tools that are in no group.'
                : "Create the group, or remove it from the policy.",
          });
        const refs = name === DEFAULT_GROUP ? [] : [{ kind: "group" as const, name }];
        if (!group.active && policy.effect !== "deny")
          return toFinding({
            ...subject,
            kind: "grants_inactive_group",
            text: `\`${policy.name}\` ${verb} \`${name}\`, which is inactive and grants no tools.`,
            fix: `Activate \`${name}\`, or remove it from the policy.`,
            refs,
          });
        if (group.error !== null && policy.effect === "deny")
          return toFinding({
            ...subject,
            kind: "grants_empty_group",
            severity: "error",
            text: `\`${policy.name}\` denies \`${name}\`, a group with a pattern that is not valid. The policy therefore denies every tool.`,
            fix: `Correct the pattern of \`${name}\`, or remove the group from the policy.`,
            refs,
          });
        if (group.members.count > 0) return [];
        return toFinding({
          ...subject,
          kind: "grants_empty_group",
          text: `\`${policy.name}\` ${verb} \`${name}\`, which has no tools.`,
          fix: `Add tools to \`${name}\`, or remove it from the policy.`,
          refs,
        });
      });
    });
}

/** Findings about groups themselves: selectors and exclusions that match no tool. */
export function findInGroups(index: Index): readonly Finding[] {
  const facts = index.tools.all.map(selectorFacts);
  return index.groups.all.flatMap(({ group }, number) =>
    group === null ? [] : [...selectsNothing(index, group, number, facts), ...missedExclusions(index, group, number)],
  );
}

function selectsNothing(
  { groups }: Index,
  group: Group,
  number: number,
  facts: readonly SelectorFacts[],
): readonly Finding[] {
  const { error, members } = groups.all[number] ?? { error: null, members: { count: 0 } };
  const about = { kind: "group" as const, name: group.name };
  const say = (what: string, text: string, fix: string): readonly Finding[] => [
    toFinding({
      kind: "group_selects_nothing",
      about,
      what,
      text,
      fix,
      severity: error === null ? "warning" : "error",
    }),
  ];
  if (error !== null)
    return say("", `\`${group.name}\` is empty, because a pattern is not valid (${error}).`, "Correct the pattern.");
  const selectors = group.selectors.flatMap((selector) => {
    const compiled = compileSelector(selector);
    return isProblem(compiled) ? [] : compiled;
  });
  if (selectors.length === 0) {
    if (members.count > 0) return [];
    return say("", `\`${group.name}\` has no tools.`, "Add selectors or tools, or delete the group.");
  }
  if (facts.some((tool) => selectors.every(({ test }) => test(tool)))) return [];
  const alone = selectors.findIndex(({ test }) => !facts.some(test));
  return say(
    alone < 0 ? "selectors" : `selector ${alone + 1}`,
    alone < 0
      ? `No tool matches all ${selectors.length} selectors of \`${group.name}\`, although each selector matches some.`
      : `No tool matches selector ${alone + 1} of \`${group.name}\`.`,
    alone < 0
      ? "A tool must match every selector. Widen a selector, or create two groups."
      : "Widen the selector. Its near misses show which tools almost match.",
  );
}

function missedExclusions({ tools, groups }: Index, group: Group, number: number): readonly Finding[] {
  return group.exclude.flatMap(({ tool }) => {
    const at = tools.numberOf.get(tool);
    const hits = at !== undefined && groups.groupSets[groups.groupSetOf[at] ?? 0]?.excluded.includes(number) === true;
    if (hits || groups.all[number]?.error !== null) return [];
    return toFinding({
      kind: "exclusion_hits_nothing",
      about: { kind: "group", name: group.name },
      what: tool,
      text:
        at === undefined
          ? `\`${group.name}\` excludes \`${tool}\`, a tool that does not exist.`
          : `\`${group.name}\` excludes \`${tool}\`, which is not a member in any case.`,
      fix: "Remove the exclusion, or correct the name of the tool.",
      refs: at === undefined ? [] : [{ kind: "tool", name: tool }],
    });
  });
}
