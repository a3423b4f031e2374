import { BLANK_DRAFT, groupNamesOf, type GroupChoice, type PreviewDraft } from "@/components/preview/draft";
import type { Input } from "@/lib/resources";

/** The request of an assertion, whole. */
export type Given = Input<"assertions">["given"];

/** A request that has claims of its own beside a persona's is more than the inputs can hold: JSON can. */
export function isPlain({ persona, claims }: Given): boolean {
  return persona === null || Object.keys(claims).length === 0;
}

/** The request of an assertion in the inputs of a preview, with the claims as they were typed. */
export function draftOfGiven(given: Given, who: "claims" | "persona", claimsText: string): PreviewDraft {
  const { persona, group, state, machine, profile, capabilities, intent, confidence } = given;
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
  };
}

/** The way back. Whoever is a persona has its claims; `claims` are those of the text. */
export function givenOfDraft(draft: PreviewDraft, claims: Given["claims"]): Given {
  const { caller, group, state, machine, profile, capabilities, intent, confidence } = draft;
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
  };
}

function choiceOf(group: Given["group"]): GroupChoice {
  if (group === null) return { kind: "all" };
  return group.length === 1 && group[0] === "default" ? { kind: "default" } : { kind: "chosen", names: group };
}
