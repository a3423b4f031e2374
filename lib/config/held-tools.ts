import { isReleased, type Tool } from "@/lib/access/model/configuration";
import type { FlowFacts } from "@/lib/access/model/flow";
import type { DocumentProblem } from "@/lib/config/problems";

// A document never undoes a review: quarantines, deprecations and flow guesses stay until a person decides.

type WithStatus = Pick<Tool, "id" | "status">;
type Holdable = WithStatus & FlowFacts;

/** The tools of a document, with the stored values that it cannot remove. */
interface HeldTools<T> {
  readonly tools: readonly T[];
  /** One for each kept value. */
  readonly warnings: readonly DocumentProblem[];
}

/** A document's tools with the stored statuses and guesses that a document cannot lift. */
export function holdTools<T extends Holdable>(
  tools: readonly T[],
  stored: ReadonlyMap<string, Holdable>,
): HeldTools<T> {
  const withStatus = holdStatuses(tools, stored);
  const withGuess = holdGuesses(withStatus.tools, stored);
  return { tools: withGuess.tools, warnings: [...withStatus.warnings, ...withGuess.warnings] };
}

/**
 * A document's tools, each with its stored guesses. A document may confirm a guess by stating its word in `flow`, but
 * only a person's answer removes one: otherwise a document from before the guess would.
 */
function holdGuesses<T extends Holdable>(tools: readonly T[], stored: ReadonlyMap<string, Holdable>): HeldTools<T> {
  const warnings: DocumentProblem[] = [];
  const held = tools.map((tool) => {
    const { flow } = tool;
    const guesses = tool.flowGuess ?? [];
    const lost = (stored.get(tool.id)?.flowGuess ?? []).filter(
      ({ kind, word }) =>
        flow?.[kind].includes(word) !== true && !guesses.some((one) => one.kind === kind && one.word === word),
    );
    if (lost.length === 0) return tool;
    const words = lost.map(({ word }) => `\`${word}\``).join(", ");
    const message = `keeps the guess ${words}: a document cannot take a guess away. Confirm or replace it on the page Flow guesses`;
    warnings.push({ path: `tools[${tool.id}].flowGuess`, message });
    return { ...tool, flowGuess: [...guesses, ...lost] };
  });
  return { tools: held, warnings };
}

/**
 * A document's tools, each at least as strict as its stored status: only the drift review lifts a quarantine or a
 * deprecation. Every kept status is a warning.
 */
export function holdStatuses<T extends WithStatus>(
  tools: readonly T[],
  stored: ReadonlyMap<string, WithStatus>,
): HeldTools<T> {
  const warnings: DocumentProblem[] = [];
  const held = tools.map((tool) => {
    const { status } = stored.get(tool.id) ?? tool;
    if (!isReleased(status, tool.status)) return tool;
    const message = `stays \`${status}\`: a document cannot release a tool. Approve the tool in the drift review, or change the status on its page if it has no drift`;
    warnings.push({ path: `tools[${tool.id}].status`, message });
    return { ...tool, status };
  });
  return { tools: held, warnings };
}

/** A warning for each quarantined or deprecated tool that the document deletes, and with it the status. */
export function lostStatuses(
  tools: readonly WithStatus[],
  stored: ReadonlyMap<string, WithStatus>,
): readonly DocumentProblem[] {
  const stated = new Set(tools.map(({ id }) => id));
  return [...stored.values()]
    .filter(({ id, status }) => status !== "active" && !stated.has(id))
    .map(({ id, status }) => ({
      path: `tools[${id}]`,
      message: `is \`${status}\` and would be deleted: a document that creates it again makes it available`,
    }));
}
