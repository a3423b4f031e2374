import type { Json, JsonObject } from "@/lib/access/model/configuration";
import {
  entriesOf,
  isObject,
  jsonTypeOf,
  listOf,
  resolveRef,
  typesOf,
  type JsonType,
} from "@/lib/manifest/json-schema";

/**
 * Small schemas of references to references, or to themselves, can take for ever. Whoever has looked at this many schemas for
 * one answer is not certain of it, and whoever has walked through so many for one call leaves the rest as it is.
 */
const MOST_LOOKS = 200;
const MOST_STEPS = 20_000;
const MOST_DEPTH = 200;

/**
 * Whether a schema certainly refuses every value of a JSON type, whatever else it says. `false` = it may accept one. Sound
 * for JSON Schema 2020-12 and draft-07, where what stands beside a `$ref` does not count.
 */
export function refuses(schema: Json | undefined, type: JsonType, root: JsonObject): boolean {
  let looks = 0;
  const look = (at: Json | undefined): boolean => {
    looks += 1;
    if (at === false) return true;
    if (!isObject(at) || looks > MOST_LOOKS) return false;
    const { $ref, type: stated, enum: values, const: only, allOf, anyOf, oneOf } = at;
    if ($ref !== undefined) return look(resolveRef($ref, root));
    // OpenAPI's own word, which the validator of our own schemas knows.
    if (type === "null" && at["nullable"] === true) return false;
    return (
      (stated !== undefined && !typesOf(at).includes(type)) ||
      (only !== undefined && jsonTypeOf(only) !== type) ||
      (Array.isArray(values) && values.every((value: Json) => jsonTypeOf(value) !== type)) ||
      listOf(allOf).some(look) ||
      [anyOf, oneOf].some((of) => listOf(of).length > 0 && listOf(of).every(look))
    );
  };
  return look(schema);
}

/**
 * The arguments without the nulls that strict mode forced upon a model, which may leave nothing out: an optional property
 * that is null, although its schema certainly refuses null. As such arguments fit no schema, no call that would be accepted
 * is changed, and no null that a schema allows. The same object when there is nothing to remove.
 *
 * @param schema the tool's input schema, not what a vendor was sent
 */
export function withoutForcedNulls(args: JsonObject, schema: JsonObject): JsonObject {
  const cleaned = new Cleaning(schema).clean(args, schema, 0);
  return isObject(cleaned) ? cleaned : args;
}

class Cleaning {
  readonly #root: JsonObject;
  #steps = 0;

  constructor(root: JsonObject) {
    this.#root = root;
  }

  clean(value: Json, schema: Json | undefined, depth: number): Json {
    const type = jsonTypeOf(value);
    if ((type !== "object" && type !== "array") || !isObject(schema)) return value;
    this.#steps += 1;
    if (this.#steps > MOST_STEPS || depth > MOST_DEPTH) return value;
    const { $ref, allOf, anyOf, oneOf } = schema;
    if ($ref !== undefined) return this.clean(value, resolveRef($ref, this.#root), depth + 1);
    // A branch applies for certain only when no other can accept a value of this type.
    const branches = [anyOf, oneOf].flatMap((of) => {
      const possible = listOf(of).filter((inner) => !refuses(inner, type, this.#root));
      return possible.length === 1 ? possible : [];
    });
    const own = isObject(value) ? this.#members(value, schema, depth) : this.#items(listOf(value), schema, depth);
    return [...listOf(allOf), ...branches].reduce<Json>(
      (cleaned, inner) => this.clean(cleaned, inner, depth + 1),
      own ?? value,
    );
  }

  /** `null` = nothing to remove. */
  #items(value: readonly Json[], { items, prefixItems }: JsonObject, depth: number): Json | null {
    if (!isObject(items) || prefixItems !== undefined) return null;
    const cleaned = value.map((item) => this.clean(item, items, depth + 1));
    return cleaned.some((item, at) => item !== value[at]) ? cleaned : null;
  }

  /** `null` = nothing to remove. */
  #members(value: JsonObject, { properties, required }: JsonObject, depth: number): Json | null {
    const schemas = new Map(entriesOf(properties));
    const isForced = ([name, member]: readonly [string, Json]) =>
      member === null && !listOf(required).includes(name) && refuses(schemas.get(name), "null", this.#root);
    const all = Object.entries(value);
    const kept = all.filter((entry) => !isForced(entry));
    const cleaned = kept.map(([name, member]) => [name, this.clean(member, schemas.get(name), depth + 1)] as const);
    const isSame = kept.length === all.length && cleaned.every(([name, member]) => member === value[name]);
    return isSame ? null : Object.fromEntries(cleaned);
  }
}
