import { RE2JS } from "re2js";
import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { isObject } from "@/lib/access/model/json";

/** How to clean a schema. */
export interface CleanContext {
  /** Returns the new `$ref` for a reference; `null` leaves it out. */
  readonly refer: (reference: string) => string | null;
  readonly note: (message: string) => void;
  /** The direction of an OpenAPI schema, for `readOnly` and `writeOnly`; absent for other schemas. */
  readonly direction?: Direction;
  /** Returns the target of a reference. */
  readonly resolve?: (reference: string) => Json | undefined;
  /** Whether patterns stay unchecked, because the import of this schema has checked them. Compiling many takes long. */
  readonly hasCheckedPatterns?: boolean;
  /** Whether definitions and anchors stay in place, and every removed keyword gets a note. */
  readonly inPlace?: boolean;
}

/** Whether a schema describes a request or an answer. */
export type Direction = "input" | "output";

type Keep = (value: Json, context: CleanContext) => Json | undefined;

/** A name that replaces the prototype of an object when it is assigned. No stored schema has such a member. */
const PROTOTYPE = "__proto__";

function withoutPrototype(value: Json): Json {
  const text = JSON.stringify(value);
  if (!text.includes(PROTOTYPE)) return value;
  return JSON.parse(text, (name, inner: Json) => (name === PROTOTYPE ? undefined : inner)) as Json;
}

const schema: Keep = (value, context) => cleanSchema(value, context);
const schemas: Keep = (value, context) =>
  Array.isArray(value) && value.length > 0
    ? (value as readonly Json[]).map((inner) => cleanSchema(inner, context))
    : undefined;
const named: Keep = (value, context) =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value).flatMap(([name, inner]) =>
          name === PROTOTYPE ? [] : [[name, cleanSchema(inner, context)] as const],
        ),
      )
    : undefined;
const text: Keep = (value) => (typeof value === "string" ? value : undefined);
const number: Keep = (value) => (typeof value === "number" ? value : undefined);
const count: Keep = (value) => (Number.isInteger(value) && Number(value) >= 0 ? value : undefined);
const flag: Keep = (value) => (typeof value === "boolean" ? value : undefined);
const words: Keep = (value) =>
  Array.isArray(value) && value.every((item) => typeof item === "string") ? [...new Set(value)] : undefined;
const wordsByName: Keep = (value, context) =>
  isObject(value) && Object.values(value).every((inner) => words(inner, context) !== undefined)
    ? withoutPrototype(value)
    : undefined;
const anything: Keep = (value) => withoutPrototype(value);

const TYPES: ReadonlySet<Json> = new Set(["null", "boolean", "object", "array", "number", "string", "integer"]);

const items: Keep = (value, context) => (Array.isArray(value) ? undefined : cleanSchema(value, context));
const list: Keep = (value) => (Array.isArray(value) && value.length > 0 ? withoutPrototype(value) : undefined);
const divisor: Keep = (value) => (typeof value === "number" && value > 0 ? value : undefined);
const type: Keep = (value) => {
  const types = (Array.isArray(value) ? (value as readonly Json[]) : [value]).filter((one) => TYPES.has(one));
  return types.length === 0 ? undefined : types.length === 1 ? types[0] : [...new Set(types)];
};
const pattern: Keep = (value, context) => {
  if (typeof value === "string" && (context.hasCheckedPatterns === true || isLinear(value))) return value;
  context.note(`the pattern ${JSON.stringify(value)?.slice(0, 100)} cannot be checked in linear time: left out`);
  return undefined;
};
const reference: Keep = (value, context) =>
  typeof value === "string" ? (context.refer(value) ?? undefined) : undefined;
/** Keywords that write their own note. */
const SPEAKS: ReadonlySet<Keep> = new Set([pattern, reference]);

/**
 * The keywords that stay (JSON Schema 2020-12), by their required form. One keyword of a wrong form would make the whole
 * schema unusable. All others are removed: annotations of OpenAPI (`xml`, `discriminator`), and keywords that refer
 * elsewhere or change the meaning (`$id`, `$dynamicRef`, `$async`).
 */
const FORMS: readonly (readonly [Keep, string])[] = [
  [anything, "default const"],
  [text, "title description format contentEncoding contentMediaType"],
  [flag, "deprecated readOnly writeOnly uniqueItems"],
  [divisor, "multipleOf"],
  [number, "maximum exclusiveMaximum minimum exclusiveMinimum"],
  [count, "maxLength minLength maxItems minItems maxContains minContains maxProperties minProperties"],
  [words, "required"],
  [wordsByName, "dependentRequired"],
  [list, "enum examples"],
  [type, "type"],
  [pattern, "pattern"],
  [reference, "$ref"],
  [named, "properties patternProperties dependentSchemas"],
  [items, "items"],
  [schema, "additionalProperties unevaluatedProperties propertyNames contains unevaluatedItems contentSchema"],
  [schema, "not if then else"],
  [schemas, "allOf anyOf oneOf prefixItems"],
];
const KEYWORDS: ReadonlyMap<string, Keep> = new Map(
  FORMS.flatMap(([keep, keywords]) => keywords.split(" ").map((keyword) => [keyword, keep] as const)),
);

/** Keywords that stay too when definitions stay in place. */
const IN_PLACE: ReadonlyMap<string, Keep> = new Map<string, Keep>([
  ["$defs", named],
  ["definitions", named],
  ["$anchor", (value) => (typeof value === "string" && ANCHOR.test(value) ? value : undefined)],
]);
/** The name of an anchor (JSON Schema 2020-12, 8.2.2). */
const ANCHOR = /^[A-Za-z_][-A-Za-z0-9._]*$/;
/** Keywords that are removed without a note. */
const SILENT: ReadonlySet<string> = new Set(["$comment", "$schema"]);

/** Returns a schema that our validators accept. `true` and `false` stay. */
export function cleanSchema(value: Json, context: CleanContext): JsonObject | boolean {
  if (typeof value === "boolean") return value;
  if (!isObject(value)) return {};
  const kept: Record<string, Json> = {};
  for (const [keyword, inner] of Object.entries(asDraft2020(value))) {
    const keep = KEYWORDS.get(keyword) ?? (context.inPlace === true ? IN_PLACE.get(keyword) : undefined);
    const clean = keep?.(inner, context);
    if (clean !== undefined) kept[keyword] = clean;
    else if (keep !== undefined && !SPEAKS.has(keep))
      context.note(`\`${keyword}\` has a form that JSON Schema does not know: left out`);
    else if (STRIPPED.has(keyword)) context.note(`\`${keyword}\` is left out: calls do not follow it`);
    else if (context.inPlace === true && keep === undefined && !SILENT.has(keyword))
      context.note(`\`${keyword.slice(0, 100)}\` is left out: JSON Schema has no such keyword`);
  }
  return context.direction === undefined ? kept : withNull(withoutOtherDirection(kept, value, context), value);
}

/** Removed keywords that get a note, because they change the meaning of a schema or where its value is sent. */
const STRIPPED: ReadonlySet<string> = new Set(
  "$id id $anchor $dynamicAnchor $dynamicRef $recursiveRef $async x-mcp-header".split(" "),
);

/** Translates tuples and dependencies of draft-07 into 2020-12. */
function asDraft2020(stated: JsonObject): JsonObject {
  const { items: tuple, additionalItems, dependencies } = stated;
  let result = stated;
  if (Array.isArray(tuple)) {
    const { items: _, additionalItems: __, ...rest } = result;
    result = { ...rest, prefixItems: tuple as Json, ...(additionalItems !== undefined && { items: additionalItems }) };
  }
  if (!isObject(dependencies)) return result;
  const { dependencies: _, dependentRequired, dependentSchemas, ...rest } = result;
  const of = (isList: boolean, others: Json | undefined): JsonObject => ({
    ...Object.fromEntries(Object.entries(dependencies).filter(([, one]) => Array.isArray(one) === isList)),
    ...(isObject(others) ? others : {}),
  });
  const [lists, schemasByName] = [of(true, dependentRequired), of(false, dependentSchemas)];
  return {
    ...rest,
    ...(Object.keys(lists).length > 0 && { dependentRequired: lists }),
    ...(Object.keys(schemasByName).length > 0 && { dependentSchemas: schemasByName }),
  };
}

/**
 * Removes members of the other direction from `required` (OpenAPI 3.1, Schema Object): requests carry no `readOnly`
 * members, answers no `writeOnly` ones.
 */
function withoutOtherDirection(kept: JsonObject, stated: JsonObject, context: CleanContext): JsonObject {
  const { direction, resolve } = context;
  const { required } = kept;
  if (direction === undefined || !Array.isArray(required)) return kept;
  const mark = direction === "input" ? "readOnly" : "writeOnly";
  const others = new Set<Json>();
  const look = (value: Json | undefined, depth: number): void => {
    if (!isObject(value) || depth > 4) return;
    const { $ref, properties, allOf } = value;
    if (typeof $ref === "string") look(resolve?.($ref), depth + 1);
    for (const inner of Array.isArray(allOf) ? (allOf as readonly Json[]) : []) look(inner, depth + 1);
    if (!isObject(properties)) return;
    for (const name of required as readonly Json[]) {
      const member = typeof name === "string" && Object.hasOwn(properties, name) ? properties[name] : undefined;
      const target = isObject(member) && typeof member["$ref"] === "string" ? resolve?.(member["$ref"]) : undefined;
      if ([member, target].some((one) => isObject(one) && one[mark] === true)) others.add(name as Json);
    }
  };
  look(stated, 0);
  if (others.size === 0) return kept;
  const { required: _, ...rest } = kept;
  const left = (required as readonly Json[]).filter((name) => !others.has(name));
  return left.length === 0 ? rest : { ...rest, required: left };
}

/** Lets alternatives accept null when `nullable` or a type with `null` stands next to them, as the author intended. */
function withNull(kept: JsonObject, { nullable, type: stated }: JsonObject): JsonObject {
  if (nullable !== true && !(Array.isArray(stated) && (stated as readonly Json[]).includes("null"))) return kept;
  const { anyOf, oneOf, allOf, $ref, enum: values, ...rest } = kept;
  const withValue =
    Array.isArray(values) && !(values as readonly Json[]).includes(null)
      ? [...(values as readonly Json[]), null]
      : values;
  const withEnum = withValue === undefined ? {} : { enum: withValue };
  const alternatives = Object.entries({ anyOf, oneOf, allOf, $ref }).filter(
    (entry): entry is [string, Json] => entry[1] !== undefined,
  );
  if (alternatives.length === 0) return { ...rest, ...withEnum };
  const takesNull = (one: Json) => isObject(one) && one["type"] === "null";
  if (Array.isArray(anyOf) && alternatives.length === 1) {
    const branches = anyOf as readonly Json[];
    return { ...rest, ...withEnum, anyOf: branches.some(takesNull) ? anyOf : [...branches, { type: "null" }] };
  }
  const [only] = alternatives;
  if (only?.[0] === "oneOf" && alternatives.length === 1 && (only[1] as readonly Json[]).some(takesNull)) return kept;
  return { ...rest, ...withEnum, anyOf: [Object.fromEntries(alternatives), { type: "null" }] };
}

function isLinear(source: string): boolean {
  if (source.length > 1024) return false;
  try {
    RE2JS.compile(RE2JS.translateRegExp(source));
    return true;
  } catch {
    return false;
  }
}
