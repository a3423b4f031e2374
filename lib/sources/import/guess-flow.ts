import { type FlowGuess, isFlowEmpty, OUTWARD, PRIVATE, UNTRUSTED } from "@/lib/access/model/flow";
import { isImportedKind, type SourceKind } from "@/lib/resources/source-kinds";
import type { ToolInput } from "@/lib/resources/tool";
import { upstreamKey } from "@/lib/sources/import/upstream-key";

// What an import guesses about a tool's flow (docs/reference/decision.md#flow-guesses). The upstream writes its annotations
// itself and may lie. So an annotation can add a label or a class, but never remove one.

/** Methods that only read (RFC 9110, 9.2.1). */
const READ_METHODS = new Set(["GET", "HEAD"]);

type GuessInput = Pick<ToolInput, "annotations" | "method">;

/** Guesses the labels and classes of an imported tool, each with the fact that it was guessed from. */
export function guessFlow({ annotations, method }: GuessInput): FlowGuess[] {
  const openWorldFact = method === null ? openWorldHintFact(annotations) : `method ${method}`;
  const readFact = readOnlyFact(annotations, method);
  return [
    ...(readFact === null ? [] : [{ kind: "raises" as const, word: PRIVATE, from: readFact }]),
    { kind: "raises", word: UNTRUSTED, from: openWorldFact },
    { kind: "is", word: OUTWARD, from: openWorldFact },
  ];
}

type GuessedFields = Pick<ToolInput, "flow" | "flowGuess" | "run" | "method" | "path">;

/**
 * Whether a tool was imported before imports guessed flow: it has no flow, no guess and no answer to a guess.
 *
 * @param kind the kind of the tool's source; absent = the source does not parse
 */
export function lacksGuess(tool: GuessedFields, kind: SourceKind | undefined): boolean {
  const isImported = kind !== undefined && isImportedKind(kind) && upstreamKey(tool) !== null;
  return isImported && tool.flowGuess === null && isFlowEmpty(tool.flow);
}

function openWorldHintFact({ title: _title, ...hints }: ToolInput["annotations"]): string {
  if (Object.keys(hints).length === 0) return "no annotations";
  if (hints.openWorldHint === undefined) return "openWorldHint not stated";
  return hints.openWorldHint ? "openWorldHint: true" : "openWorldHint: false, which removes nothing";
}

/** The fact that the tool only reads, so that it may return private data; `null` = no such fact. */
function readOnlyFact({ readOnlyHint }: ToolInput["annotations"], method: string | null): string | null {
  if (method !== null) return READ_METHODS.has(method) ? `method ${method}` : null;
  return readOnlyHint === true ? "readOnlyHint: true" : null;
}

/**
 * The guesses of a tool after its source changed it: the unanswered ones, and those that the new annotations or method
 * add. Guesses that a person confirmed or replaced do not return.
 */
export function extendGuesses(
  before: GuessInput & Pick<ToolInput, "flowGuess">,
  now: GuessInput,
): ToolInput["flowGuess"] {
  const known = before.flowGuess ?? [];
  const old = [...guessFlow(before), ...known];
  const gained = guessFlow(now).filter(({ kind, word }) => !old.some((one) => one.kind === kind && one.word === word));
  return gained.length === 0 ? before.flowGuess : [...known, ...gained];
}
