import { hasBit } from "@/lib/access/model/bitset";
import type { Index } from "@/lib/access/compile/compile";
import type { Policy } from "@/lib/access/model/configuration";
import { makePlan } from "@/lib/access/decide/plan";
import type { ResolveRequest } from "@/lib/access/decide/resolution";
import { firstFailure } from "@/lib/access/explain/steps";

/**
 * The matching request policies that offer a hidden tool (by id), in evaluation order; empty when the caller may not
 * request it (docs/reference/decision.md#access-grants).
 */
export function offersOf(index: Index, request: ResolveRequest, toolId: string, now: number): readonly Policy[] {
  const number = index.tools.numberOf.get(toolId);
  if (number === undefined) return [];
  const plan = makePlan(index, request, now);
  const { requestable } = plan;
  if (requestable === null || firstFailure(plan, number)?.reason !== "access_requestable") return [];
  const members = index.groups.groupSets[index.groups.groupSetOf[number] ?? 0]?.members ?? [];
  const offering = members.filter((group) => hasBit(requestable, group));
  return plan.matched
    .filter(({ policy, groups }) => policy.effect === "request" && offering.some((group) => groups.includes(group)))
    .map(({ policy }) => policy);
}
