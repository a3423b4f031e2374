import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { isObject } from "@/lib/access/model/json";

/** Keywords whose value is one schema or a list of schemas (JSON Schema 2020-12 and draft-07). */
export const SCHEMA_KEYWORDS: ReadonlySet<string> = new Set(
  `additionalProperties additionalItems unevaluatedProperties unevaluatedItems items prefixItems contains contentSchema
  propertyNames not if then else allOf anyOf oneOf`.split(/\s+/),
);
/** Keywords whose value maps names to schemas. The names are not keywords. */
export const SCHEMA_MAPS: ReadonlySet<string> = new Set(
  "properties patternProperties $defs definitions dependentSchemas dependencies".split(" "),
);

/** Applies a change to every schema directly inside a schema. Returns the same object when nothing changes. */
export function mapSubschemas(schema: JsonObject, change: (inner: Json, keyword: string) => Json): JsonObject {
  let isSame = true;
  const changed = Object.entries(schema).map(([keyword, value]): [string, Json] => {
    const next = changedValue(keyword, value, change);
    isSame &&= next === value;
    return [keyword, next];
  });
  return isSame ? schema : Object.fromEntries(changed);
}

function changedValue(keyword: string, value: Json, change: (inner: Json, keyword: string) => Json): Json {
  if (SCHEMA_MAPS.has(keyword))
    return isObject(value) ? changedMembers(value, (inner) => change(inner, keyword)) : value;
  if (!SCHEMA_KEYWORDS.has(keyword)) return value;
  if (!Array.isArray(value)) return change(value, keyword);
  const items = value as readonly Json[];
  const next = items.map((inner) => change(inner, keyword));
  return next.every((inner, at) => inner === items[at]) ? value : next;
}

function changedMembers(map: JsonObject, change: (inner: Json) => Json): JsonObject {
  const entries = Object.entries(map).map(([name, inner]): [string, Json] => [name, change(inner)]);
  return entries.every(([name, inner]) => inner === map[name]) ? map : Object.fromEntries(entries);
}

/** Keywords that refuse more when a schema inside them, or next to them, accepts more. */
const INVERTING = new Set(["not", "if", "then", "else", "unevaluatedProperties", "unevaluatedItems", "maxContains"]);

/**
 * Adapts a schema in which a part was replaced by a more permissive part: the result accepts everything that the
 * original did. `oneOf` becomes `anyOf`, because several alternatives may now match. Keywords that would refuse more
 * are removed.
 */
export function loosen(schema: Json): Json {
  if (!isObject(schema)) return schema;
  const inner = mapSubschemas(schema, loosen);
  const { oneOf, anyOf, allOf } = inner;
  const kept = Object.entries(inner).filter(([keyword]) => !INVERTING.has(keyword) && keyword !== "oneOf");
  if (oneOf === undefined) return kept.length === Object.keys(inner).length ? inner : Object.fromEntries(kept);
  if (anyOf === undefined) return { ...Object.fromEntries(kept), anyOf: oneOf };
  return {
    ...Object.fromEntries(kept),
    allOf: [...(Array.isArray(allOf) ? (allOf as readonly Json[]) : []), { anyOf: oneOf }],
  };
}

/** Keywords whose value is the address of a schema (`$recursiveRef`: JSON Schema 2019-09). */
const REFERENCES = ["$ref", "$dynamicRef", "$recursiveRef"];

/** A reference that leads to another document. */
interface RemoteReference {
  readonly keyword: string;
  readonly address: string;
}

/** The first reference in a schema that leads to another document; `null` when there is none. */
export function remoteReference(schema: Json): RemoteReference | null {
  if (!isObject(schema)) return null;
  for (const keyword of REFERENCES) {
    const address = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
    if (typeof address === "string" && !address.startsWith("#")) return { keyword, address };
  }
  let found: RemoteReference | null = null;
  mapSubschemas(schema, (inner) => {
    found ??= remoteReference(inner);
    return inner;
  });
  return found;
}

const TYPES: ReadonlySet<Json> = new Set("null boolean object array number string integer".split(" "));

/**
 * Why vendors refuse every list with this schema, as a sentence that names the place and the fix; `null` when they do not.
 * Imports translate such forms.
 */
export function refusedForm(schema: Json, path = "", isDraft7 = namesDraft7(schema)): string | null {
  if (!isObject(schema)) return null;
  const { items, prefixItems, type = "object" } = schema;
  if (Array.isArray(items))
    return `\`${path}items\` is a list, as in draft-07: put its schemas under \`prefixItems\`, and \`additionalItems\` under \`items\``;
  if (isDraft7 && prefixItems !== undefined)
    return `\`${path}prefixItems\` has no effect in draft-07, which \`$schema\` names: remove \`$schema\``;
  const types = Array.isArray(type) ? (type as readonly Json[]) : [type];
  const wrong = types.find((one) => !TYPES.has(one));
  if (wrong !== undefined)
    return `\`${path}type\` cannot be ${JSON.stringify(wrong).slice(0, 50)}: use ${[...TYPES].join(", ")}, or leave it out`;
  for (const [place, inner] of subschemasOf(schema)) {
    const found = refusedForm(inner, `${path}${place}.`, isDraft7);
    if (found !== null) return found;
  }
  return null;
}

function namesDraft7(schema: Json): boolean {
  return isObject(schema) && typeof schema["$schema"] === "string" && schema["$schema"].includes("draft-07");
}

/** Every schema directly inside a schema, with its place. */
function* subschemasOf(schema: JsonObject): Generator<readonly [string, Json]> {
  for (const [keyword, value] of Object.entries(schema)) {
    const isOne = SCHEMA_KEYWORDS.has(keyword) && !Array.isArray(value);
    if (isOne) yield [keyword, value];
    else if (SCHEMA_KEYWORDS.has(keyword) || SCHEMA_MAPS.has(keyword))
      for (const [name, inner] of Object.entries(value ?? {})) yield [`${keyword}.${name}`, inner as Json];
  }
}
