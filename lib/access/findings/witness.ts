import { requestOf } from "@/lib/access/model/request";
import { numbersOf } from "@/lib/access/model/bitset";
import type { Index } from "@/lib/access/compile/compile";
import type { JsonObject } from "@/lib/access/model/configuration";
import type { Witness } from "@/lib/access/findings/finding";
import { makePlan } from "@/lib/access/decide/plan";

/** The resolver's result for claims at an instant (epoch ms), from the same plan as every list and check. */
export function toWitness(index: Index, claims: JsonObject, at: number): Witness {
  const plan = makePlan(index, requestOf(claims), at);
  return {
    claims,
    at,
    matched: plan.matched.map(({ policy }) => policy.name),
    grantedGroups: numbersOf(plan.granted).flatMap((group) => index.groups.all[group]?.name ?? []),
  };
}
