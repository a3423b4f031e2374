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
  // Many references may lead to one schema. Its answer is "not certain" while its own parts are examined.
  const answers = new Map<JsonObject, boolean>();
  const check = (at: Json | undefined): boolean => {
    if (at === false) return true;
    if (!isObject(at)) return false;
    const known = answers.get(at);
    if (known !== undefined || answers.size >= MAX_VISITS) return known ?? false;
    answers.set(at, false);
    const answer = examine(at);
    answers.set(at, answer);
    return answer;
  };
  const examine = (at: JsonObject): boolean => {
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

/** The parts of a schema that apply to a value of one type. Computed once, because a list has many values of one schema. */
interface Applied {
  /** Schemas that apply to the whole value: the target of a reference, or parts and certain alternatives. */
  readonly whole: readonly JsonObject[];
  /** The schemas of an object's members. */
  readonly members: ReadonlyMap<string, Json>;
  /** Members whose null is forced. */
  readonly forced: ReadonlySet<string>;
  /** The schema of a list's items. */
  readonly items: JsonObject | null;
}

class Cleaning {
  readonly #root: JsonObject;
  readonly #applied = { object: new Map<JsonObject, Applied>(), array: new Map<JsonObject, Applied>() };
  #steps = 0;

  constructor(root: JsonObject) {
    this.#root = root;
  }

  clean(value: Json, schema: Json | undefined, depth: number): Json {
    const type = jsonTypeOf(value);
    if ((type !== "object" && type !== "array") || !isObject(schema)) return value;
    this.#steps += 1;
    if (this.#steps > MAX_STEPS || depth > MAX_DEPTH) return value;
    const applied = this.#applied[type].get(schema) ?? this.#apply(schema, type);
    this.#applied[type].set(schema, applied);
    const own = isObject(value)
      ? this.#cleanMembers(value, applied, depth)
      : this.#cleanItems(listOf(value), applied, depth);
    return applied.whole.reduce<Json>((cleaned, inner) => this.clean(cleaned, inner, depth + 1), own ?? value);
  }

  #apply(schema: JsonObject, type: "object" | "array"): Applied {
    const { $ref, allOf, anyOf, oneOf, properties, required, items, prefixItems } = schema;
    if ($ref !== undefined)
      return { ...NOTHING, whole: [resolveRef($ref, this.#root)].filter((target) => isObject(target)) };
    // A branch certainly applies only when no other branch can accept a value of this type.
    const branches = [anyOf, oneOf].flatMap((of) => {
      const possible = listOf(of).filter((inner) => !refuses(inner, type, this.#root));
      return possible.length === 1 ? possible : [];
    });
    const whole = [...listOf(allOf), ...branches].filter((inner) => isObject(inner));
    if (type === "array")
      return { ...NOTHING, whole, items: isObject(items) && prefixItems === undefined ? items : null };
    const members = new Map(entriesOf(properties));
    const mandatory = new Set(listOf(required));
    const forced = [...members].filter(([name, inner]) => !mandatory.has(name) && refuses(inner, "null", this.#root));
    return { ...NOTHING, whole, members, forced: new Set(forced.map(([name]) => name)) };
  }

  /** `null` = nothing to remove. */
  #cleanItems(value: readonly Json[], { items }: Applied, depth: number): Json | null {
    if (items === null) return null;
    const cleaned = value.map((item) => this.clean(item, items, depth + 1));
    return cleaned.some((item, at) => item !== value[at]) ? cleaned : null;
  }

  /** `null` = nothing to remove. */
  #cleanMembers(value: JsonObject, { members, forced }: Applied, depth: number): Json | null {
    const all = Object.entries(value);
    const kept = all.filter(([name, member]) => member !== null || !forced.has(name));
    const cleaned = kept.map(([name, member]) => [name, this.clean(member, members.get(name), depth + 1)] as const);
    const isSame = kept.length === all.length && cleaned.every(([name, member]) => member === value[name]);
    return isSame ? null : Object.fromEntries(cleaned);
  }
}

const NOTHING: Applied = { whole: [], members: new Map(), forced: new Set(), items: null };
