import type { Json } from "@/lib/access/model/configuration";
import { isDeeper } from "@/lib/access/model/json";
import { eventParser } from "@/lib/calls/runners/event-parser";
import { AppError } from "@/lib/errors";
import { excessOfAnswer } from "@/lib/http/json-bounds";

/** Splits a text that arrives in pieces into items. @throws AppError `upstream_error`, `result_too_large` */
export interface SequenceReader {
  /** The items that this piece completes. */
  readonly push: (piece: string) => Json[];
  /** The items that the end of the text completes. */
  readonly end: () => Json[];
}

/** Deepest nesting of an answer, because later code may walk it recursively. */
export const MAX_ANSWER_DEPTH = 100;

/** Names of JSON Lines that are in use; none is registered. */
const JSON_LINES: ReadonlySet<string> = new Set([
  "application/jsonl",
  "application/x-jsonl",
  "application/ndjson",
  "application/x-ndjson",
]);

/**
 * A reader for a media type whose body is a sequence of items (OpenAPI 3.2, Sequential Media Types): each line of JSON, or each
 * event as `{ data, event?, id? }` with its data as text. Each piece is counted before it is parsed. `null` = no sequence.
 */
export function sequenceReader(mediaType: string): SequenceReader | null {
  if (mediaType === "text/event-stream") return eventReader();
  return JSON_LINES.has(mediaType) ? lineReader() : null;
}

/** Server-sent events (HTML, 9.2.6): one that no empty line ends is not an event. */
function eventReader(): SequenceReader {
  let whole: Json[] = [];
  const feed = eventParser({
    onEvent: ({ data, event, id }) => {
      whole.push({ data, ...(event !== undefined && { event }), ...(id !== undefined && { id }) });
    },
  });
  const push = (piece: string) => {
    requireFewValues(piece);
    feed(piece);
    const items = whole;
    whole = [];
    return items;
  };
  return { push, end: () => [] };
}

function lineReader(): SequenceReader {
  // The pieces of the unfinished line. They are joined once, because a line may have thousands of pieces.
  let unfinished: string[] = [];
  const push = (piece: string) => {
    if (!piece.includes("\n")) {
      unfinished.push(piece);
      return [];
    }
    const begun = unfinished.join("");
    requireFewValues(begun + piece);
    const [end = "", ...others] = piece.split("\n");
    const lines = [begun + end, ...others];
    unfinished = [lines.pop() ?? ""];
    return lines.filter((line) => line.trim() !== "").map(parseJson);
  };
  return { push, end: () => push("\n") };
}

/** Checks the number of values on the text, before parsing builds them. @throws AppError `result_too_large` */
export function requireFewValues(text: string, isSequence = true): void {
  const excess = excessOfAnswer(text, isSequence);
  if (excess === null) return;
  throw new AppError("result_too_large", `The upstream's answer holds more than ${excess.most} values.`);
}

/** JSON text from an upstream. @throws AppError `upstream_error`, `result_too_large` */
export function parseJson(text: string): Json {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch (cause) {
    throw new AppError(
      "upstream_error",
      "The upstream's answer is not valid JSON, although its content type says so.",
      { cause },
    );
  }
  if (isDeeper(value, MAX_ANSWER_DEPTH))
    throw new AppError("result_too_large", `The upstream's answer is nested deeper than ${MAX_ANSWER_DEPTH} levels.`);
  return value;
}
