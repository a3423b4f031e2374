import type { JsonObject } from "@/lib/access/model/configuration";
import { isObject } from "@/lib/access/model/json";
import type { RaisedLabelRow } from "@/lib/contracts/log/held-label";
import type { HeldLabel } from "@/lib/store/labels/held-labels";

/** Held labels in API form, earliest first; each label once. */
export function toRaised(held: readonly HeldLabel[]): RaisedLabelRow[] {
  const first = held.filter(({ label }, place) => held.findIndex((one) => one.label === label) === place);
  return first.map(({ label, callId, toolId, at }) => ({ label, callId, toolId, at: at.toISOString() }));
}

/** The labels of a logged request, each with the call that raised it. */
export function raisedByOf({ raisedBy }: JsonObject): RaisedLabelRow[] {
  if (!isObject(raisedBy)) return [];
  return Object.entries(raisedBy).flatMap(([label, by]) => {
    if (!isObject(by)) return [];
    const { callId, toolId, at } = by as Record<string, unknown>;
    const isWhole = typeof callId === "string" && typeof toolId === "string" && typeof at === "string";
    return isWhole ? [{ label, callId, toolId, at }] : [];
  });
}

/** The names of the flow rules of a logged request. */
export function flowRulesOf({ flowRules: rules }: JsonObject): string[] {
  return Array.isArray(rules) ? rules.filter((rule) => typeof rule === "string") : [];
}
