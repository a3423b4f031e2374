import { BoundedCache } from "@/lib/access/model/bounded-cache";
import type { Resolution } from "@/lib/access/decide/resolution";

/** Most bytes of all cached lists together. */
const MAX_BYTES = 24 * 1024 * 1024;

/** Numbers by resolution object: callers who share a cached resolution (docs/reference/decision.md#cost) share its text. */
const numbers = new WeakMap<Resolution, number>();
const texts = new BoundedCache<Uint8Array<ArrayBuffer>>(MAX_BYTES);
let count = 0;

/**
 * The UTF-8 text of a whole list in one format, made once per resolution object. The resolution's cache key determines
 * every part of the text, including argument conditions, which come from the matched policies.
 */
export function listText(resolution: Resolution, format: string, make: () => string): Uint8Array<ArrayBuffer> {
  const number = numbers.get(resolution) ?? (count += 1);
  numbers.set(resolution, number);
  const key = `${number} ${format}`;
  const known = texts.get(key);
  if (known !== undefined) return known;
  const text = Buffer.from(make());
  texts.set(key, text, text.byteLength);
  return text;
}
