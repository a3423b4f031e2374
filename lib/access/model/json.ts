import type { Json, JsonObject } from "@/lib/access/model/configuration";

/** Whether a value is a JSON object: no list and not `null`. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `Array.isArray` does not narrow readonly arrays. */
export function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/**
 * Whether a value is nested deeper than `depth` levels, including itself. Stops at the limit, so that hostile nesting
 * cannot exhaust the stack.
 */
export function isDeeper(value: Json, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1));
}

/** The JSON value of a text, or of its bytes in UTF-8; `undefined` = it is not JSON. */
export function fromJson(text: string | Uint8Array): unknown {
  try {
    return JSON.parse(typeof text === "string" ? text : new TextDecoder().decode(text));
  } catch {
    return undefined;
  }
}
