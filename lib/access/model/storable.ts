import { isObject } from "@/lib/access/model/json";

/** The first part of a value that the store refuses, and the keys that lead to it. */
interface Flaw {
  readonly keys: readonly (string | number)[];
  readonly message: string;
}

/**
 * Finds the first text of a JSON value that Postgres does not store (NUL, half of a surrogate pair), or nesting deeper
 * than `maxDepth`. Builds the key path only on a hit: a body may have a hundred thousand values.
 */
export function flawIn(value: unknown, maxDepth: number): Flaw | null {
  const found = flawBelow(value, maxDepth);
  if (found === null) return null;
  return { keys: found.keys.toReversed(), message: found.message ?? `nested deeper than ${maxDepth} levels` };
}

/** Writes keys as a path: `policies[0].name`. */
export function dotted(keys: readonly PropertyKey[]): string {
  return keys
    .map((key, at) => (typeof key === "number" ? `[${key}]` : `${at === 0 ? "" : "."}${String(key)}`))
    .join("");
}

/** Why Postgres does not store a text; `null` when it does. */
export function flawOfText(text: string): string | null {
  if (text.includes("\0")) return "contains a NUL character";
  return text.isWellFormed() ? null : "contains half of a surrogate pair";
}

/** A text that Postgres stores: U+FFFD replaces NUL and halves of surrogate pairs. */
export function storableText(text: string): string {
  return flawOfText(text) === null ? text : text.replaceAll(/[\0\p{Surrogate}]/gu, "\uFFFD");
}

/** JSON escapes of NUL and of half a surrogate pair. Also matches the text `\\u0000`, which only costs a second pass. */
const UNSTORABLE_ESCAPE = /\\u(?:d[89a-f]|0000)/;

/** JSON text of a value that Postgres stores: U+FFFD replaces NUL and halves of surrogate pairs, also in names. */
export function storableJson(value: unknown): string {
  const text = JSON.stringify(value);
  return UNSTORABLE_ESCAPE.test(text) ? JSON.stringify(value, (_name, item: unknown) => toStorable(item)) : text;
}

/** A copy of the value that Postgres stores (see `storableJson`); the value itself when nothing must change. */
export function storable<Value extends object>(value: Value): Value {
  const text = JSON.stringify(value);
  return UNSTORABLE_ESCAPE.test(text) ? (JSON.parse(storableJson(value)) as Value) : value;
}

function toStorable(value: unknown): unknown {
  if (typeof value === "string") return storableText(value);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [storableText(key), item]));
}

interface Found {
  /** The keys, innermost first. */
  readonly keys: (string | number)[];
  /** `null`: nested too deep. */
  readonly message: string | null;
}

function flawBelow(value: unknown, levelsLeft: number): Found | null {
  if (levelsLeft < 0) return { keys: [], message: null };
  if (typeof value === "string") return toFound(flawOfText(value));
  if (typeof value !== "object" || value === null) return null;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) {
      const found = flawBelow(value[at], levelsLeft - 1);
      if (found !== null) return below(at, found);
    }
    return null;
  }
  for (const key of Object.keys(value)) {
    const found = toFound(flawOfText(key)) ?? flawBelow((value as Record<string, unknown>)[key], levelsLeft - 1);
    if (found !== null) return below(key, found);
  }
  return null;
}

function toFound(message: string | null): Found | null {
  return message === null ? null : { keys: [], message };
}

function below(key: string | number, found: Found): Found {
  found.keys.push(key);
  return found;
}
