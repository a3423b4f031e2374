import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { entriesOf, isObject, listOf, resolveRef } from "@/lib/manifest/json-schema";
import { toldOf } from "@/lib/manifest/schema-keywords";

/** OpenAI and Anthropic answer 400 to the whole request when one of them stands at the root of one tool's schema. */
const NOT_AT_ROOT = ["oneOf", "anyOf", "allOf", "not", "enum", "const"];

/**
 * A schema whose root is plainly an object with properties, as every vendor wants it. Alternatives at the root are told in
 * its description and their properties offered together; which of them go together is checked when the tool is called.
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
    ...(dropped.length > 0 && toldOf(schema, dropped)),
  };
}

/** What a root says of its properties, together with what it refers to. */
class Gathered {
  readonly properties = new Map<string, Json>();
  readonly required = new Set<Json>();
  readonly #root: JsonObject;
  readonly #seen = new Set<Json>();

  constructor(root: JsonObject) {
    this.#root = root;
  }

  /** @param always whether the schema holds for every value: only then is what it requires required */
  add(schema: Json | undefined, always: boolean): void {
    if (!isObject(schema) || this.#seen.has(schema)) return;
    this.#seen.add(schema);
    const { $ref, properties, required, allOf, anyOf, oneOf } = schema;
    // The first to describe a property is the one nearest to the root.
    for (const [name, inner] of entriesOf(properties)) if (!this.properties.has(name)) this.properties.set(name, inner);
    if (always) for (const name of listOf(required)) this.required.add(name);
    for (const inner of [resolveRef($ref, this.#root), ...listOf(allOf)]) this.add(inner, always);
    for (const inner of [...listOf(anyOf), ...listOf(oneOf)]) this.add(inner, false);
  }
}
