import type { Json } from "@/lib/access/configuration";
import type { OutboundRequest } from "@/lib/outbound/fetch";
import { maskedPieces, maskJson } from "@/lib/tools/credentials/mask";
import { mediaTypeOf } from "@/lib/tools/runners/http-answer";
import { sequenceReader, type SequenceReader } from "@/lib/tools/runners/sequence";

/**
 * Tells an answer on while it comes: each item of a sequence, or the pieces of a text whose length nobody stated. JSON and
 * failures are told as a whole, at the end. Nothing of `hidden` is told, wherever the pieces break. What cannot
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
  const mask = (item: Json) => maskJson(item, hidden);
  if (items !== null) return { push: (piece) => items.push(piece).map(mask), end: () => items.end().map(mask) };
  if (!type.startsWith("text/") || headers["content-length"] !== undefined) return null;
  const pieces = maskedPieces(hidden);
  const some = (text: string) => (text === "" ? [] : [text]);
  return { push: (piece) => some(pieces.push(piece)), end: () => some(pieces.end()) };
}
