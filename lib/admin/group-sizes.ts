import type { Index } from "@/lib/access/compile/compile";
import { inParts, type Parts } from "@/lib/access/model/parts";
import type { GroupSizes } from "@/lib/contracts/decisions/group-sizes";

/**
 * Counts the tools of each stored group, as the resolver sees them, and those of them that are assigned to it. In parts,
 * because it reads every tool.
 */
export function* listGroupSizes({ groups, tools }: Index): Parts<GroupSizes> {
  const assigned = new Map<string, number>();
  yield* inParts(tools.all, (tool, number) => {
    const memberOf = groups.groupSets[groups.groupSetOf[number] ?? -1]?.members ?? [];
    // A tool that the group excludes is assigned to it, but is no member.
    for (const name of new Set(tool.groups))
      if (memberOf.includes(groups.numberOf.get(name) ?? -1)) assigned.set(name, (assigned.get(name) ?? 0) + 1);
  });
  const stored = groups.all.filter(({ group }) => group !== null);
  return {
    items: stored.map(({ name, members }) => ({ name, tools: members.count, assigned: assigned.get(name) ?? 0 })),
  };
}
