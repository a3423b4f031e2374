import { RE2JS } from "re2js";
import type { Json, JsonObject } from "@/lib/access/configuration";
import { isObject } from "@/lib/sources/openapi/json-view";

/** What happens to references and what is noticed while a schema is cleaned. */
export interface CleanContext {
  /** The new `$ref` for a reference, or `null` to leave it out. */
  readonly refer: (reference: string) => string | null;
  readonly note: (message: string) => void;
}

type Keep = (value: Json, context: CleanContext) => Json | undefined;

const schema: Keep = (value, context) => cleanSchema(value, context);
const schemas: Keep = (value, context) =>
  Array.isArray(value) && value.length > 0
    ? (value as readonly Json[]).map((inner) => cleanSchema(inner, context))
    : undefined;
const named: Keep = (value, context) =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, cleanSchema(inner, context)]))
    : undefined;
const text: Keep = (value) => (typeof value === "string" ? value : undefined);
const number: Keep = (value) => (typeof value === "number" ? value : undefined);
const count: Keep = (value) => (Number.isInteger(value) && Number(value) >= 0 ? value : undefined);
const flag: Keep = (value) => (typeof value === "boolean" ? value : undefined);
const words: Keep = (value) =>
  Array.isArray(value) && value.every((item) => typeof item === "string") ? [...new Set(value)] : undefined;
const wordsByName: Keep = (value, context) =>
  isObject(value) && Object.values(value).every((inner) => words(inner, context) !== undefined) ? value : undefined;
const anything: Keep = (value) => value;

const TYPES: ReadonlySet<Json> = new Set(["null", "boolean", "object", "array", "number", "string", "integer"]);

const items: Keep = (value, context) => (Array.isArray(value) ? undefined : cleanSchema(value, context));
const list: Keep = (value) => (Array.isArray(value) && value.length > 0 ? value : undefined);
const divisor: Keep = (value) => (typeof value === "number" && value > 0 ? value : undefined);
const type: Keep = (value) => {
  const types = (Array.isArray(value) ? (value as readonly Json[]) : [value]).filter((one) => TYPES.has(one));
  return types.length === 0 ? undefined : types.length === 1 ? types[0] : [...new Set(types)];
};
const pattern: Keep = (value, context) => {
  if (typeof value === "string" && isLinear(value)) return value;
  context.note(`the pattern ${JSON.stringify(value)?.slice(0, 100)} cannot be checked in linear time: left out`);
  return undefined;
};
const reference: Keep = (value, context) =>
  typeof value === "string" ? (context.refer(value) ?? undefined) : undefined;
/** Keywords that say themselves why they leave something out. */
const SPEAKS: ReadonlySet<Keep> = new Set([pattern, reference]);

/**
 * Every keyword that is kept (JSON Schema 2020-12) by the form that it must have: a keyword with another
 * form would make the whole schema unusable. What is not named here is left out: annotations of OpenAPI
 * (`xml`, `discriminator`), and all that leads elsewhere or changes meaning (`$id`, `$dynamicRef`, `$async`).
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

/** A schema of a document as one that our validators take; `true` and `false` stay. */
export function cleanSchema(value: Json, context: CleanContext): JsonObject | boolean {
  if (typeof value === "boolean") return value;
  if (!isObject(value)) return {};
  const kept: Record<string, Json> = {};
  for (const [keyword, inner] of Object.entries(value)) {
    const keep = KEYWORDS.get(keyword);
    const clean = keep?.(inner, context);
    if (clean !== undefined) kept[keyword] = clean;
    else if (keep !== undefined && !SPEAKS.has(keep))
      context.note(`\`${keyword}\` has a form that JSON Schema does not know: left out`);
  }
  return kept;
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
