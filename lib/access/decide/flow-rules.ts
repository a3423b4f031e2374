import { rulesHeld, type CompiledFlowRule } from "@/lib/access/compile/flows";
import type { Index } from "@/lib/access/compile/compile";
import { hasBit } from "@/lib/access/model/bitset";
import type { ResolveRequest } from "@/lib/access/decide/resolution";

/** The rules that restrict a tool (by id), for the labels of a request. */
export function rulesThatRestrict(
  index: Index,
  { labels }: Pick<ResolveRequest, "labels">,
  toolId: string,
): readonly CompiledFlowRule[] {
  const number = index.tools.numberOf.get(toolId);
  if (number === undefined) return [];
  return rulesHeld(index.flows, labels).filter(({ passing }) => !hasBit(passing, number));
}

/** The rules by which calls of a tool (by id) wait for a person, for the labels of a request. */
export function rulesThatAsk(index: Index, request: ResolveRequest, toolId: string): readonly CompiledFlowRule[] {
  return rulesThatRestrict(index, request, toolId).filter(({ rule }) => rule.effect === "approve");
}
