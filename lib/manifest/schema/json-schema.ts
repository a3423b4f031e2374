import { isObject } from "@/lib/access/model/json";
import type { Json, JsonObject } from "@/lib/access/model/configuration";

/** The name of a JSON type in JSON Schema; every number is `number`. */
export type JsonType = "null" | "boolean" | "number" | "string" | "array" | "object";

/** A keyword's value as a list; any other value gives an empty list. */
export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** A keyword's value as an object's entries; any other value gives none. */
export function entriesOf(value: Json | undefined): readonly [string, Json][] {
  return isObject(value) ? Object.entries(value) : [];
}

/** The JSON type of a value. */
export function jsonTypeOf(value: Json): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value as "boolean" | "number" | "string" | "object";
}

/** The types that a schema's `type` keyword names, `integer` as `number`; none when `type` is absent. */
export function typesOf({ type }: JsonObject): readonly JsonType[] {
  const named = typeof type === "string" ? [type] : listOf(type);
  return named.map((name) => (name === "integer" ? "number" : (name as JsonType)));
}

/**
 * The subschema that a local `$ref` (a JSON pointer, RFC 6901, in a fragment) leads to; `undefined` when it leads
 * nowhere.
 */
export function resolveRef(ref: Json | undefined, root: JsonObject): Json | undefined {
  if (ref === "#") return root;
  if (typeof ref !== "string" || !ref.startsWith("#/")) return undefined;
  let value: Json | undefined = root;
  for (const step of ref.slice(2).split("/")) {
    const key = unescaped(step);
    if (key === null || !isObject(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

function unescaped(step: string): string | null {
  try {
    return decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return null;
  }
}

/** The references of one schema. Each target is walked once: its author chooses its size, and how often it is named. */
export class References {
  readonly #root: JsonObject;
  /** The references in the target of each reference. */
  readonly #inTarget = new Map<string, readonly string[]>();

  constructor(root: JsonObject) {
    this.#root = root;
  }

  /** Whether the target of a `$ref` refers to it again, directly or through others. */
  isCyclic($ref: string): boolean {
    const seen = new Set([$ref]);
    for (const one of seen)
      for (const next of this.#next(one)) {
        if (next === $ref) return true;
        seen.add(next);
      }
    return false;
  }

  #next($ref: string): readonly string[] {
    const known = this.#inTarget.get($ref) ?? [...new Set(referencesIn(resolveRef($ref, this.#root)))];
    this.#inTarget.set($ref, known);
    return known;
  }
}

/** Every `$ref` at any depth of a value. */
function referencesIn(value: Json | undefined): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item: Json) => referencesIn(item));
  return entriesOf(value).flatMap(([key, inner]) =>
    key === "$ref" && typeof inner === "string" ? [inner] : referencesIn(inner),
  );
}
