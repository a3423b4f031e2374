import type { Index } from "@/lib/access/compile/compile";
import type { ToolGroups } from "@/lib/contracts/decisions/tool-groups";
import { AppError } from "@/lib/errors";

/**
 * Lists the groups that contain a tool, as the resolver sees them, without those of access grants.
 *
 * @throws AppError `not_found`
 */
export function listToolGroups({ tools, groups }: Index, id: string): ToolGroups {
  const at = tools.numberOf.get(id) ?? -1;
  const tool = tools.all[at];
  if (tool === undefined) throw new AppError("not_found", `There is no tool \`${id}\`.`);
  const ofGrants = new Set(groups.access.values());
  const numbers = groups.groupSets[groups.groupSetOf[at] ?? -1]?.members ?? [];
  return {
    items: numbers.flatMap((number) => {
      const group = groups.all[number];
      if (group === undefined || ofGrants.has(number)) return [];
      return { name: group.name, active: group.active, how: [...group.how(tool)] };
    }),
  };
}
