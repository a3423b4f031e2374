import { BoundedCache } from "@/lib/access/model/bounded-cache";
import type { Parts } from "@/lib/access/model/parts";
import type { Resolution } from "@/lib/access/decide/resolution";
import { runInTurns } from "@/lib/store/db/in-turns";

/** The UTF-8 text of a list. */
export type ListText = Uint8Array<ArrayBuffer>;

/** Most bytes of all cached lists together. */
const MAX_BYTES = 24 * 1024 * 1024;

/** Numbers by resolution object: callers who share a cached resolution (docs/reference/decision.md#cost) share its text. */
const numbers = new WeakMap<Resolution, number>();
const texts = new BoundedCache<ListText>(MAX_BYTES);
/** Texts that are being made: a change of a list reaches all its streams at once. */
const pending = new Map<string, Promise<ListText>>();
let count = 0;

/**
 * The text of a whole list in one format, made once per resolution object, in turns with other work. The resolution's
 * cache key determines every part of the text, including argument conditions, which come from the matched policies.
 */
export async function listText(resolution: Resolution, format: string, make: () => Parts<ListText>): Promise<ListText> {
  const number = numbers.get(resolution) ?? (count += 1);
  numbers.set(resolution, number);
  const key = `${number} ${format}`;
  const known = texts.get(key) ?? pending.get(key);
  if (known !== undefined) return known;
  const made = runInTurns(make());
  pending.set(key, made);
  try {
    const text = await made;
    texts.set(key, text, text.byteLength);
    return text;
  } finally {
    pending.delete(key);
  }
}

/** Characters that are encoded at a time: less than a millisecond's work. */
const PART_CHARACTERS = 256 * 1024;

/** The UTF-8 text of a JSON list and of what surrounds it, encoded in parts. */
export function* encodeList(begin: string, items: readonly string[], end: string): Parts<ListText> {
  const encoded: Buffer[] = [];
  let part = `${begin}[`;
  for (const [at, item] of items.entries()) {
    part += at === 0 ? item : `,${item}`;
    if (part.length < PART_CHARACTERS) continue;
    encoded.push(Buffer.from(part));
    part = "";
    yield;
  }
  encoded.push(Buffer.from(`${part}]${end}`));
  return Buffer.concat(encoded);
}
