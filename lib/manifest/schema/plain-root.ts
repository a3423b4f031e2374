import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { isObject } from "@/lib/access/model/json";
import { entriesOf, listOf, resolveRef } from "@/lib/manifest/schema/json-schema";
import { describeKeywords } from "@/lib/manifest/schema/schema-keywords";

/** At the root of one tool's schema, each of these makes OpenAI and Anthropic answer 400 to the whole request. */
const NOT_AT_ROOT = ["oneOf", "anyOf", "allOf", "not", "enum", "const"];

/**
 * A schema whose root is a plain object with properties, as every vendor requires. The description lists alternatives
 * at the root, and the schema offers all their properties.
 * The call itself checks which properties belong together.
 */
export function plainRoot(schema: JsonObject): JsonObject {
  const gathered = new Gathered(schema);
  gathered.add(schema, true);
  const { properties, required } = gathered;
  const dropped = NOT_AT_ROOT.filter((keyword) => schema[keyword] !== undefined);
  const kept = Object.entries(schema).filter(([keyword]) => keyword !== "$ref" && !dropped.includes(keyword));
  return {
    ...Object.fromEntries(kept),
    type: "object",
    properties: Object.fromEntries(properties),
    ...(required.size > 0 && { required: [...required] }),
    ...(dropped.length > 0 && describeKeywords(schema, dropped)),
  };
}

/** The properties that a root and its references state. */
class Gathered {
  readonly properties = new Map<string, Json>();
  readonly required = new Set<Json>();
  readonly #root: JsonObject;
  readonly #seen = new Set<Json>();

  constructor(root: JsonObject) {
    this.#root = root;
  }

  /** @param always whether the schema applies to every value: only then are its required properties required */
  add(schema: Json | undefined, always: boolean): void {
    if (!isObject(schema) || this.#seen.has(schema)) return;
    this.#seen.add(schema);
    const { $ref, properties, required, allOf, anyOf, oneOf } = schema;
    // The first description of a property is the one nearest to the root.
    for (const [name, inner] of entriesOf(properties)) if (!this.properties.has(name)) this.properties.set(name, inner);
    if (always) for (const name of listOf(required)) this.required.add(name);
    for (const inner of [resolveRef($ref, this.#root), ...listOf(allOf)]) this.add(inner, always);
    for (const inner of [...listOf(anyOf), ...listOf(oneOf)]) this.add(inner, false);
  }
}
