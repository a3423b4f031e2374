import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { asText, isObject, member } from "@/lib/sources/openapi/json-view";

/** The longest chain of references that is followed. */
const MAX_CHAIN = 20;

/**
 * What a JSON pointer fragment (`#/components/schemas/Pet`, RFC 6901) names in a document; `undefined`
 * when it names nothing. Other documents are never followed.
 */
export function atPointer(document: JsonObject, reference: string): Json | undefined {
  if (reference === "#") return document;
  if (!reference.startsWith("#/")) return undefined;
  let value: Json | undefined = document;
  for (const step of pointerSteps(reference)) {
    if (Array.isArray(value)) value = /^\d+$/.test(step) ? (value as readonly Json[])[Number(step)] : undefined;
    else value = isObject(value) ? member(value, step) : undefined;
  }
  return value;
}

/** The unescaped steps of `#/a/b`. */
export function pointerSteps(reference: string): string[] {
  return reference
    .slice(2)
    .split("/")
    .map((step) => decodePercent(step).replaceAll("~1", "/").replaceAll("~0", "~"));
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * An object of the document with its `$ref` followed to the end: a parameter, a body, a response. `null`
 * for what is no object, leads nowhere or runs in a circle. Members beside a `$ref` (`description`) win.
 */
export function follow(document: JsonObject, value: Json | undefined): JsonObject | null {
  let found = value;
  let beside: JsonObject = {};
  for (let step = 0; step < MAX_CHAIN; step += 1) {
    if (!isObject(found)) return null;
    const reference = asText(found["$ref"]);
    if (reference === null) return { ...found, ...beside };
    const { $ref: _, ...rest } = found;
    beside = { ...rest, ...beside };
    found = atPointer(document, reference);
  }
  return null;
}
