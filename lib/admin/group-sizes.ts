import type { Index } from "@/lib/access/compile/compile";
import type { GroupSizes } from "@/lib/contracts/decisions/group-sizes";

/** Counts the tools of each stored group, as the resolver sees them. */
export function listGroupSizes({ groups }: Index): GroupSizes {
  const stored = groups.all.filter(({ group }) => group !== null);
  return {
    items: stored.map(({ name, members }) => ({ name, tools: members.count })),
  };
}
