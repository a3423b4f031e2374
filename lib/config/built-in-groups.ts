import type { Index } from "@/lib/access/compile/compile";
import { ALL, DEFAULT_GROUP, UNGROUPED } from "@/lib/access/model/configuration";
import { byCodeUnit } from "@/lib/access/model/scalars";
import { MAX_MEMBERS_NAMED, type BuiltInGroups } from "@/lib/contracts/decisions/built-in-groups";

const DESCRIPTIONS = {
  [DEFAULT_GROUP]:
    "Tools without an assigned group, except imported ones. A tool that another group selects stays in this one.",
  [UNGROUPED]:
    "Tools that no group contains, such as newly imported ones. Only a policy that grants every group reaches them.",
} as const;

/** Lists `default` and `(ungrouped)`, which have no row, with the members that decisions use. */
export function listBuiltInGroups({ tools, groups, policies }: Index): BuiltInGroups {
  const numbers = { [DEFAULT_GROUP]: groups.numberOf.get(DEFAULT_GROUP), [UNGROUPED]: groups.ungrouped };
  return {
    items: ([DEFAULT_GROUP, UNGROUPED] as const).map((name) => {
      const number = numbers[name] ?? -1;
      const isMember = (at: number) => groups.groupSets[groups.groupSetOf[at] ?? 0]?.members.includes(number) === true;
      const members = tools.all.flatMap(({ id }, at) => (isMember(at) ? id : [])).toSorted(byCodeUnit);
      const reaching = policies.filter(
        ({ policy }) => policy.active && policy.groups.some((group) => group === name || group === ALL),
      );
      return {
        name,
        description: DESCRIPTIONS[name],
        count: members.length,
        members: members.slice(0, MAX_MEMBERS_NAMED),
        policies: reaching.map(({ policy }) => ({ name: policy.name, effect: policy.effect })),
      };
    }),
  };
}
