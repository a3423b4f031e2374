import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { isObject } from "@/lib/access/model/json";
import { entriesOf, jsonTypeOf, listOf, resolveRef, typesOf, type JsonType } from "@/lib/manifest/schema/json-schema";

/**
 * Small schemas of references, also to themselves, can take exponential time. After this many schemas for one answer
 * the answer is "not certain"; after as many for one call the rest stays unchanged.
 */
const MAX_VISITS = 200;
const MAX_STEPS = 20_000;
const MAX_DEPTH = 200;

/**
 * Whether a schema certainly refuses every value of a JSON type. `false` = it may accept one. Sound for JSON Schema
 * 2020-12 and draft-07, where siblings of a `$ref` do not count.
 */
export function refuses(schema: Json | undefined, type: JsonType, root: JsonObject): boolean {
  let visits = 0;
  const check = (at: Json | undefined): boolean => {
    visits += 1;
    if (at === false) return true;
    if (!isObject(at) || visits > MAX_VISITS) return false;
    const { $ref, type: stated, enum: values, const: only, allOf, anyOf, oneOf } = at;
    if ($ref !== undefined) return check(resolveRef($ref, root));
    // OpenAPI's `nullable`, which the validator of these schemas supports.
    if (type === "null" && at["nullable"] === true) return false;
    return (
      (stated !== undefined && !typesOf(at).includes(type)) ||
      (only !== undefined && jsonTypeOf(only) !== type) ||
      (Array.isArray(values) && values.every((value: Json) => jsonTypeOf(value) !== type)) ||
      listOf(allOf).some(check) ||
      [anyOf, oneOf].some((of) => listOf(of).length > 0 && listOf(of).every(check))
    );
  };
  return check(schema);
}

/**
 * Removes the nulls that strict mode forces upon a model, which may leave no property out: an optional property that is
 * null although its schema certainly refuses null.
 * Such arguments match no schema, so the removal never changes a valid call or a null that a schema allows.
 * Returns the same object when nothing is removed.
 * @param schema the tool's own input schema, not the vendor's version
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
    if (this.#steps > MAX_STEPS || depth > MAX_DEPTH) return value;
    const { $ref, allOf, anyOf, oneOf } = schema;
    if ($ref !== undefined) return this.clean(value, resolveRef($ref, this.#root), depth + 1);
    // A branch certainly applies only when no other branch can accept a value of this type.
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
