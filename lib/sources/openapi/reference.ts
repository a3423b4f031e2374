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

/** A member's name as a step of a pointer in a fragment (RFC 6901, 6); a `$` may stand there as it is. */
function stepOf(name: string): string {
  return encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1")).replaceAll("%24", "$");
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The deepest place where an anchor is looked for. */
const MAX_ANCHOR_DEPTH = 100;

/** The pointer (`#/…`) to each `$anchor` of a document, by the reference that names it (`#name`); the first of a name counts. */
export function pointersOfAnchors(document: JsonObject): ReadonlyMap<string, string> {
  const pointers = new Map<string, string>();
  const walk = (value: Json, pointer: string, depth: number): void => {
    if (typeof value !== "object" || value === null || depth > MAX_ANCHOR_DEPTH) return;
    const { $anchor } = value as JsonObject;
    if (typeof $anchor === "string" && !pointers.has(`#${$anchor}`)) pointers.set(`#${$anchor}`, pointer);
    for (const [name, inner] of Object.entries(value as JsonObject))
      walk(inner, `${pointer}/${stepOf(name)}`, depth + 1);
  };
  walk(document, "#", 0);
  return pointers;
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
