import { numbersOf } from "@/lib/access/model/bitset";
import type { Index } from "@/lib/access/compile/compile";
import type { JsonObject } from "@/lib/access/model/configuration";
import type { Witness } from "@/lib/access/findings/finding";
import { makePlan } from "@/lib/access/decide/plan";
import type { ResolveRequest } from "@/lib/access/decide/resolution";

/** A request of a caller with these claims and nothing else. */
function requestOf(claims: JsonObject): ResolveRequest {
  return {
    claims,
    agent: null,
    group: null,
    state: null,
    machine: null,
    profiles: [],
    capabilities: [],
    intent: null,
    confidence: null,
    escalated: false,
    includeDisabled: false,
  };
}

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
