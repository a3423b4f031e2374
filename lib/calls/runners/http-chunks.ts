import type { Json } from "@/lib/access/model/configuration";
import type { OutboundRequest } from "@/lib/outbound/fetch";
import { maskedPieces, maskJson } from "@/lib/calls/credentials/mask";
import { mediaTypeOf } from "@/lib/calls/runners/http-answer";
import { sequenceReader, type SequenceReader } from "@/lib/calls/runners/sequence";

/**
 * Characters of a chunk. Common text fits a notice. Followers in other processes receive a larger chunk only with the
 * answer.
 */
const CHUNK_CHARACTERS = 2_000;

/**
 * Streams an answer while it arrives: a sequence as lists of its items, a text of unknown length in pieces. Joined, the
 * chunks are the output. JSON and failures are sent whole, at the end. Masks `hidden` texts across pieces too. Data that
 * cannot be read is not streamed: the whole answer reports its problem.
 *
 * @param hidden the texts that must be masked, as they are known when the answer comes
 */
export function forwardChunks(
  forward: (chunk: Json) => void,
  hidden: () => readonly string[],
): NonNullable<OutboundRequest["listen"]> {
  return ({ status, headers }) => {
    const reader = status >= 200 && status < 300 ? readerOf(headers, hidden()) : null;
    if (reader === null) return null;
    const decoder = new TextDecoder("utf-8", { fatal: true });
    let readable = true;
    const forwardAll = (read: () => readonly Json[]) => {
      if (!readable) return;
      try {
        for (const chunk of read()) forward(chunk);
      } catch {
        readable = false;
      }
    };
    return {
      onChunk: (bytes) => forwardAll(() => reader.push(decoder.decode(bytes, { stream: true }))),
      onEnd: () => forwardAll(() => reader.end()),
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
