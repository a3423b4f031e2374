import { callerWords } from "@/components/preview/inputs/caller-words";
import type { PreviewDraft } from "@/components/preview/draft";
import type { Input } from "@/lib/resources";
import type { PreviewOutput } from "@/lib/contracts/decisions/preview";

/** The asserted part of an answer: exactly all tools, at least these, or the selected one. */
export type Expectation = "exactly" | "at_least" | "selected";

type Given = NonNullable<Input<"assertions">["given"]>;
type Answer = Pick<PreviewOutput, "tools" | "claims" | "request">;

/** Whether the caller of an answer may call a tool. Assertions know no tools that are only listed. */
export function isCallable({ tools }: Pick<Answer, "tools">, toolId: string): boolean {
  return tools.some((tool) => tool.toolId === toolId && tool.callable);
}

/** Whether the configuration of an answer can have a tool. Only an answer that lists every hidden tool rules it out. */
export function mayHave({ tools, hidden, moreHidden }: PreviewOutput, toolId: string): boolean {
  return moreHidden > 0 || [...tools, ...hidden].some((tool) => tool.toolId === toolId);
}

/** An assertion that holds under the rules of this answer. */
export function toAssertion(
  answer: Answer,
  draft: PreviewDraft,
  expectation: Expectation,
  selected: string | null,
): Omit<Input<"assertions">, "name"> {
  return { description: "", given: givenOf(answer, draft), expect: expected(answer, expectation, selected) };
}

function expected(answer: Answer, expectation: Expectation, selected: string | null): Input<"assertions">["expect"] {
  if (expectation === "selected" && selected !== null)
    return isCallable(answer, selected)
      ? { visible: [selected], hidden: [], exactly: false }
      : { visible: [], hidden: [selected], exactly: false };
  const visible = answer.tools.filter(({ callable }) => callable).map(({ toolId }) => toolId);
  return { visible, hidden: [], exactly: expectation === "exactly" };
}

/**
 * The inputs of an answer as an assertion states them. A persona stays a persona; an agent or a logged call becomes what
 * it came with: an assertion is kept with the rules, and agents and the log are not.
 */
function givenOf({ claims, request }: Answer, draft: PreviewDraft): Given {
  const { group, state, machine, profiles, capabilities, intent, confidence, escalated, labels } = request;
  const persona = draft.caller.kind === "persona" ? draft.caller.name : null;
  const profile = profiles.find((name) => name !== "main") ?? null;
  return {
    claims: persona === null ? (claims as Given["claims"]) : {},
    persona,
    group: group === null ? null : [...group],
    state: state === "" ? null : state,
    machine,
    profile,
    capabilities: persona !== null && draft.capabilities === null ? null : [...capabilities],
    // An escalated run is not narrowed by an intent.
    intent: escalated ? null : intent,
    confidence: escalated || intent === null ? null : confidence,
    labels: [...labels],
  };
}

export function suggestedName(draft: PreviewDraft, expectation: Expectation, answer: Answer, selected: string | null) {
  const who = callerWords(draft);
  if (expectation === "selected" && selected !== null)
    return `${who} ${isCallable(answer, selected) ? "sees" : "does not see"} ${selected}`;
  const count = answer.tools.filter(({ callable }) => callable).length;
  if (count === 0) return `${who} sees no tool`;
  return `${who} sees ${expectation === "exactly" ? "exactly" : "at least"} ${count === 1 ? "this tool" : `these ${count} tools`}`;
}
