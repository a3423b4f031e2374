import { isObject } from "@/lib/access/model/json";
import { BLANK_DRAFT, groupNamesOf, type GroupChoice, type PreviewDraft } from "@/components/preview/draft";
import type { Input } from "@/lib/resources";

/** The complete request of an assertion. */
export type Given = Input<"assertions">["given"];

const TEXTS = ["persona", "state", "machine", "profile", "intent"] as const;

/**
 * Whether the form can show a request. Typed JSON may have any form; a persona with additional claims can only be JSON.
 */
export function isPlain(given: unknown): given is Given {
  if (!isObject(given) || !isObject(given["claims"])) return false;
  return (
    TEXTS.every((key) => given[key] === null || typeof given[key] === "string") &&
    [given["group"], given["capabilities"]].every((list) => list === null || isTexts(list)) &&
    isTexts(given["labels"]) &&
    (given["confidence"] === null || typeof given["confidence"] === "number") &&
    (given["persona"] === null || Object.keys(given["claims"]).length === 0)
  );
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

/** The request of an assertion in the inputs of a preview, with the claims as they were typed. */
export function draftOfGiven(given: Given, who: "claims" | "persona", claimsText: string): PreviewDraft {
  const { persona, group, state, machine, profile, capabilities, intent, confidence, labels } = given;
  return {
    ...BLANK_DRAFT,
    caller: who === "persona" ? { kind: "persona", name: persona ?? "" } : { kind: "claims" },
    claimsText,
    group: choiceOf(group),
    machine,
    state: state ?? "",
    profile,
    capabilities,
    intent,
    confidence,
    labels,
  };
}

/** Converts a draft back. A persona has its own claims; `claims` are those of the text. */
export function givenOfDraft(draft: PreviewDraft, claims: Given["claims"]): Given {
  const { caller, group, state, machine, profile, capabilities, intent, confidence, labels } = draft;
  const persona = caller.kind === "persona" && caller.name !== "" ? caller.name : null;
  return {
    claims: persona === null ? claims : {},
    persona,
    group: groupNamesOf(group),
    state: state === "" ? null : state,
    machine,
    profile,
    capabilities: capabilities === null ? null : [...capabilities],
    intent,
    confidence,
    labels: [...labels],
  };
}

function choiceOf(group: Given["group"]): GroupChoice {
  if (group === null) return { kind: "all" };
  return group.length === 1 && group[0] === "default" ? { kind: "default" } : { kind: "chosen", names: group };
}
