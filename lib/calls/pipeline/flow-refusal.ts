import { check } from "@/lib/access/decide/resolve";
import { toRaised } from "@/lib/store/labels/raised-by";
import { rulesThatRestrict } from "@/lib/access/decide/flow-rules";
import type { Refusal } from "@/lib/calls/pipeline/call";
import type { CallContext } from "@/lib/calls/pipeline/call-context";

/** A repeated call is refused again, so the model must not try it again. */
const WHAT_TO_DO = "Do not call it again: continue without it, or ask a person to clear one of these labels.";

/**
 * What a caller learns about a tool that flow rules hide: the rules, its labels, and the calls that raised them. `null` when
 * it would not have the tool without its labels, because then it must not learn that the tool exists.
 */
export function flowRefusal(
  id: string,
  { snapshot: { index }, request, labels, now }: CallContext,
): Pick<Refusal, "message" | "details"> | null {
  if (check(index, { ...request, labels: [] }, id, now).verdict !== "visible") return null;
  const rules = rulesThatRestrict(index, request, id).filter(({ rule }) => rule.effect === "hide");
  const names = new Set(rules.flatMap(({ rule }) => rule.when));
  const raised = toRaised(labels.held ?? []).filter(({ label }) => names.has(label));
  const sentences = raised.map(
    ({ label, callId, toolId, at }) => `${timeInWords(at)} \`${toolId}\` made you \`${label}\` (${callId}).`,
  );
  const rule = rules.map(({ rule: { name } }) => `\`${name}\``).join(", ");
  return {
    message: [`Hidden by flow rule ${rule} because of what you have read.`, ...sentences, WHAT_TO_DO].join(" "),
    details: {
      flow_rules: rules.map(({ rule: { name } }) => name),
      labels: [...names].toSorted(),
      raised_by: raised.map(({ label, callId, toolId, at }) => ({ label, call_id: callId, tool_id: toolId, at })),
    },
  };
}

/** Such as `2026-11-24 14:02 UTC`. */
function timeInWords(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
}
