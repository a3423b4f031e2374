import { BoundedCache } from "@/lib/access/bounded-cache";
import type { Resolution } from "@/lib/access/resolution";

/** Characters of all remembered lists together: some 64 MB. */
const MOST_CHARACTERS = 32 * 1024 * 1024;

/** Resolutions by identity: callers who share a remembered one (2-access, Cost) share its text. */
const numbers = new WeakMap<Resolution, number>();
const texts = new BoundedCache<string>(MOST_CHARACTERS);
let count = 0;

/**
 * The text of a whole list in one format: made once for each resolution object. Everything in it follows from
 * the meaning that such an object is remembered by, conditions included: they hang on the policies that matched.
 */
export function listText(resolution: Resolution, format: string, make: () => string): string {
  const number = numbers.get(resolution) ?? (count += 1);
  numbers.set(resolution, number);
  const key = `${number} ${format}`;
  const known = texts.get(key);
  if (known !== undefined) return known;
  const text = make();
  texts.set(key, text, text.length);
  return text;
}
