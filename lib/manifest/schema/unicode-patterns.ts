import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { isObject } from "@/lib/access/model/json";
import { loosen, mapSubschemas } from "@/lib/manifest/schema/subschemas";

/**
 * Makes all patterns of a schema valid in JavaScript's `u` mode, which JSON Schema requires and clients use: a single
 * other pattern makes some clients drop the whole list.
 * A pattern that only RE2 accepts is respelled when possible, else left out: the server still checks it.
 * Returns the same object when nothing changes.
 */
export function withUnicodePatterns(schema: JsonObject): JsonObject {
  return mentionsPattern(schema) ? spelt(schema) : schema;
}

function mentionsPattern(value: Json): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return (value as readonly Json[]).some(mentionsPattern);
  return Object.entries(value as JsonObject).some(
    ([key, inner]) => key === "pattern" || key === "patternProperties" || mentionsPattern(inner),
  );
}

function spelt(schema: JsonObject): JsonObject {
  let lost = false;
  const walk = (at: Json): Json => {
    if (!isObject(at)) return at;
    const inner = mapSubschemas(at, walk);
    const { pattern, patternProperties } = inner;
    let result = inner;
    if (typeof pattern === "string") {
      const spelling = inUnicode(pattern);
      if (spelling === null) {
        const { pattern: _, ...rest } = result;
        result = rest;
        lost = true;
      } else if (spelling !== pattern) result = { ...result, pattern: spelling };
    }
    if (!isObject(patternProperties)) return result;
    const entries = Object.entries(patternProperties).map(([name, one]) => [inUnicode(name), one] as const);
    const kept = entries.flatMap(([name, one]): [string, Json][] => (name === null ? [] : [[name, one]]));
    if (kept.length < entries.length) {
      // Properties that match the removed pattern are not additional.
      const { additionalProperties: _, ...rest } = result;
      lost = true;
      return { ...rest, patternProperties: byName(kept) };
    }
    const names = Object.keys(patternProperties);
    const isSame = kept.every(([name], index) => name === names[index]);
    return isSame ? result : { ...result, patternProperties: byName(kept) };
  };
  const result = walk(schema);
  return (lost ? loosen(result) : result) as JsonObject;
}

/** Two names may have one spelling: a property then follows the rules of both. */
function byName(entries: readonly (readonly [string, Json])[]): JsonObject {
  const rules = new Map<string, Json>();
  for (const [name, schema] of entries) {
    const other = rules.get(name);
    rules.set(name, other === undefined ? schema : { allOf: [other, schema] });
  }
  return Object.fromEntries(rules);
}

const SYNTAX = new Set("^$\\.*+?()[]{}|/");
const CLASS_ESCAPE = /^\\(?:[wWdDsS]|[pP]\{[^}]*\})/;
const QUANTIFIER = /^\{\d+(?:,\d*)?\}/;

/** A class of RE2 such as `[[:alpha:]]`. JavaScript reads it as a set of letters and colons, which ends at the first `]`. */
const POSIX_CLASS = /\[:\^?[a-z]+:\]/;

/** A pattern in a spelling that the `u` mode accepts, with the same meaning; `null` when it has none. */
export function inUnicode(pattern: string): string | null {
  if (POSIX_CLASS.test(pattern)) return null;
  if (isUnicode(pattern)) return pattern;
  const spelling = respell(pattern);
  return isUnicode(spelling) ? spelling : null;
}

function isUnicode(pattern: string): boolean {
  try {
    return new RegExp(pattern, "u").unicode;
  } catch {
    return false;
  }
}

/** Removes needless escapes, and adds those that the mode requires. */
function respell(pattern: string): string {
  let result = "";
  let inClass = false;
  let afterClassEscape = false;
  for (let at = 0; at < pattern.length; at += 1) {
    const rest = pattern.slice(at, at + 64);
    const character = pattern[at] ?? "";
    const wasClassEscape = afterClassEscape;
    afterClassEscape = false;
    if (character === "\\") {
      const [escape] = CLASS_ESCAPE.exec(rest) ?? [];
      if (escape !== undefined) {
        result += escape;
        at += escape.length - 1;
        afterClassEscape = true;
        continue;
      }
      const next = pattern[at + 1] ?? "";
      const isNeeded = SYNTAX.has(next) || /[A-Za-z0-9]/.test(next) || (next === "-" && inClass);
      result += isNeeded ? `\\${next}` : next;
      at += 1;
    } else if (inClass) {
      if (character === "]") inClass = false;
      result += character === "-" && wasClassEscape && pattern[at + 1] !== "]" ? "\\-" : character;
    } else if (character === "[") {
      inClass = true;
      result += character;
    } else if (character === "{") {
      const [quantifier] = QUANTIFIER.exec(rest) ?? [];
      result += quantifier ?? "\\{";
      at += (quantifier ?? "{").length - 1;
    } else result += character === "}" || character === "]" ? `\\${character}` : character;
  }
  return result;
}
