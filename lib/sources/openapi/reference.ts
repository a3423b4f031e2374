import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { isObject } from "@/lib/access/model/json";
import { asText, member } from "@/lib/sources/openapi/json-view";
import { decodePercent } from "@/lib/resources/parts/decode-percent";

/** Most references to follow in one chain. */
const MAX_CHAIN = 20;

/**
 * The value at a JSON pointer fragment (`#/components/schemas/Pet`, RFC 6901); `undefined` = none. References to other
 * documents are never followed.
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
    .map((step) => (ESCAPED.test(step) ? decodePercent(step).replaceAll("~1", "/").replaceAll("~0", "~") : step));
}

/** Almost no step has an escape, and an import reads hundreds of thousands. */
const ESCAPED = /[%~]/;

/** Escapes a member's name for a pointer in a fragment (RFC 6901, 6). `$` needs no escape there. */
function stepOf(name: string): string {
  return encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1")).replaceAll("%24", "$");
}

/** Deepest level to search for anchors. */
const MAX_ANCHOR_DEPTH = 100;

/** The pointer (`#/…`) to each `$anchor`, by its reference (`#name`). The first anchor of a name counts. */
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
 * Follows the `$ref`s of an object such as a parameter, a body or a response. Members next to a `$ref` (`description`)
 * override those of its target. Returns `null` for a broken or circular reference, or a value that is no object.
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
