import type { Index } from "@/lib/access/compile/compile";
import { ALL, DEFAULT_GROUP, UNGROUPED } from "@/lib/access/model/configuration";
import { byCodeUnit } from "@/lib/access/model/scalars";
import { MAX_MEMBERS_NAMED, type BuiltInGroups } from "@/lib/contracts/decisions/built-in-groups";

const DESCRIPTIONS = {
  [DEFAULT_GROUP]:
    "Tools without an assigned group, except imported ones. A selector of another group takes no tool out of this one.",
  [UNGROUPED]:
    "Tools that no group contains, such as newly imported ones. Only a policy that grants every group reaches them.",
} as const;

/** Lists `default` and `(ungrouped)`, which no row describes, as the resolver sees them. */
export function listBuiltInGroups({ tools, groups, policies }: Index): BuiltInGroups {
  const numbers = { [DEFAULT_GROUP]: groups.numberOf.get(DEFAULT_GROUP), [UNGROUPED]: groups.ungrouped };
  return {
    items: ([DEFAULT_GROUP, UNGROUPED] as const).map((name) => {
      const number = numbers[name] ?? -1;
      const has = (at: number) => groups.groupSets[groups.groupSetOf[at] ?? 0]?.members.includes(number) === true;
      const members = tools.all.flatMap(({ id }, at) => (has(at) ? id : [])).toSorted(byCodeUnit);
      const naming = policies.filter(
        ({ policy }) => policy.active && policy.groups.some((group) => group === name || group === ALL),
      );
      return {
        name,
        description: DESCRIPTIONS[name],
        count: members.length,
        members: members.slice(0, MAX_MEMBERS_NAMED),
        policies: naming.map(({ policy }) => ({ name: policy.name, effect: policy.effect })),
      };
    }),
  };
}
