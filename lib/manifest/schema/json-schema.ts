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

/** Whether the target of a `$ref` refers, directly or through others, to `target`. */
export function leadsTo(from: string, target: string, root: JsonObject, seen = new Set<string>()): boolean {
  return referencesIn(resolveRef(from, root)).some((ref) => {
    if (ref === target) return true;
    if (seen.has(ref)) return false;
    seen.add(ref);
    return leadsTo(ref, target, root, seen);
  });
}

/** Every `$ref` at any depth of a value. */
function referencesIn(value: Json | undefined): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item: Json) => referencesIn(item));
  return entriesOf(value).flatMap(([key, inner]) =>
    key === "$ref" && typeof inner === "string" ? [inner] : referencesIn(inner),
  );
}
