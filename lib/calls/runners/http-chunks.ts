import type { Json } from "@/lib/access/model/configuration";
import type { OutboundRequest } from "@/lib/outbound/fetch";
import { maskedPieces, maskJson } from "@/lib/calls/credentials/mask";
import { mediaTypeOf } from "@/lib/calls/runners/http-answer";
import { sequenceReader, type SequenceReader } from "@/lib/calls/runners/sequence";

/** Characters of a chunk, so that it fits a notice however it is written, and many small items are few chunks. */
const CHUNK_CHARACTERS = 2_000;

/**
 * Tells an answer on while it comes: a sequence in lists of its items, a text whose length nobody stated in pieces. One
 * after the other they are the output. JSON and failures are told as a whole, at the end. Nothing of `hidden` is told, wherever the pieces break. What cannot
 * be read is not told either: the whole answer says what is wrong with it.
 *
 * @param hidden the texts that must be masked, as they are known when the answer comes
 */
export function tellChunks(
  tell: (chunk: Json) => void,
  hidden: () => readonly string[],
): NonNullable<OutboundRequest["hear"]> {
  return ({ status, headers }) => {
    const reader = status >= 200 && status < 300 ? readerOf(headers, hidden()) : null;
    if (reader === null) return null;
    const decoder = new TextDecoder("utf-8", { fatal: true });
    let readable = true;
    const tellAll = (read: () => readonly Json[]) => {
      if (!readable) return;
      try {
        for (const chunk of read()) tell(chunk);
      } catch {
        readable = false;
      }
    };
    return {
      piece: (bytes) => tellAll(() => reader.push(decoder.decode(bytes, { stream: true }))),
      end: () => tellAll(() => reader.end()),
    };
  };
}

function readerOf(headers: Readonly<Record<string, string>>, hidden: readonly string[]): SequenceReader | null {
  const type = mediaTypeOf(headers);
  const items = sequenceReader(type);
  const masked = (read: readonly Json[]) => inLists(maskJson(read, hidden) as readonly Json[]);
  if (items !== null) return { push: (piece) => masked(items.push(piece)), end: () => masked(items.end()) };
  if (!type.startsWith("text/") || headers["content-length"] !== undefined) return null;
  const pieces = maskedPieces(hidden);
  return { push: (piece) => inParts(pieces.push(piece)), end: () => inParts(pieces.end()) };
}

function inLists(items: readonly Json[]): Json[] {
  const lists: Json[][] = [];
  let room = 0;
  for (const item of items) {
    const size = JSON.stringify(item).length;
    if (size > room) {
      lists.push([]);
      room = CHUNK_CHARACTERS;
    }
    lists.at(-1)?.push(item);
    room -= size;
  }
  return lists;
}

/** By code points: no character is cut in two. */
function inParts(text: string): Json[] {
  return text.match(IN_PARTS) ?? [];
}

const IN_PARTS = new RegExp(`[^]{1,${CHUNK_CHARACTERS}}`, "gu");
