import { BoundedCache } from "@/lib/access/model/bounded-cache";
import type { Resolution } from "@/lib/access/decide/resolution";

/** Of all remembered lists together. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Resolutions by identity: callers who share a remembered one (docs/reference/decision.md#cost) share its text. */
const numbers = new WeakMap<Resolution, number>();
const texts = new BoundedCache<Uint8Array<ArrayBuffer>>(MOST_BYTES);
let count = 0;

/**
 * The text of a whole list in one format, as UTF-8: made once for each resolution object. Everything in it follows from
 * the meaning that such an object is remembered by, conditions included: they hang on the policies that matched.
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
