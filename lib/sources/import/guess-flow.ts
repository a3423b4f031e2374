import { type FlowGuess, isFlowEmpty, OUTWARD, PRIVATE, UNTRUSTED } from "@/lib/access/model/flow";
import { isImportedKind, type SourceKind } from "@/lib/resources/source-kinds";
import type { ToolInput } from "@/lib/resources/tool";
import { upstreamKey } from "@/lib/sources/import/upstream-key";

// What an import guesses about a tool's flow (docs/reference/decision.md#flow-guesses). An upstream states its annotations
// itself, so they only ever add a label or a class. None of them removes one.

/** Methods that only read (RFC 9110, 9.2.1). */
const READING = new Set(["GET", "HEAD"]);

type Imported = Pick<ToolInput, "annotations" | "method">;

/** Guesses the labels and classes of an imported tool, each with what it was guessed from. */
export function guessFlow({ annotations, method }: Imported): FlowGuess[] {
  const always = method === null ? openWorldIn(annotations) : `method ${method}`;
  const read = readsIn(annotations, method);
  return [
    ...(read === null ? [] : [{ kind: "raises" as const, word: PRIVATE, from: read }]),
    { kind: "raises", word: UNTRUSTED, from: always },
    { kind: "is", word: OUTWARD, from: always },
  ];
}

type Unguessed = Pick<ToolInput, "flow" | "flowGuess" | "run" | "method" | "path">;

/**
 * Whether a tool came from its source before imports guessed flow: it states none, and nobody has answered a guess.
 *
 * @param kind the kind of its source; absent = the source does not parse
 */
export function lacksGuess(tool: Unguessed, kind: SourceKind | undefined): boolean {
  const isImported = kind !== undefined && isImportedKind(kind) && upstreamKey(tool) !== null;
  return isImported && tool.flowGuess === null && isFlowEmpty(tool.flow);
}

/** What `openWorldHint` says. It cannot make a tool trusted, because the upstream states it itself. */
function openWorldIn({ title: _title, ...hints }: ToolInput["annotations"]): string {
  if (Object.keys(hints).length === 0) return "no annotations";
  if (hints.openWorldHint === undefined) return "openWorldHint not stated";
  return hints.openWorldHint ? "openWorldHint: true" : "openWorldHint: false, which removes nothing";
}

/** What says that the tool only reads, so that it may return private data; `null` = nothing. */
function readsIn({ readOnlyHint }: ToolInput["annotations"], method: string | null): string | null {
  if (method !== null) return READING.has(method) ? `method ${method}` : null;
  return readOnlyHint === true ? "readOnlyHint: true" : null;
}

/**
 * The guesses of a tool whose source changed it: those that nobody has answered, and what the new annotations or method
 * add. What a person confirmed or replaced is not guessed again.
 */
export function regrownGuesses(before: Imported & Pick<ToolInput, "flowGuess">, now: Imported): ToolInput["flowGuess"] {
  const known = before.flowGuess ?? [];
  const old = [...guessFlow(before), ...known];
  const gained = guessFlow(now).filter(({ kind, word }) => !old.some((one) => one.kind === kind && one.word === word));
  return gained.length === 0 ? before.flowGuess : [...known, ...gained];
}
