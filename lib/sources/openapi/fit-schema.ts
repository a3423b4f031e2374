import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { mapSubschemas } from "@/lib/manifest/schema/subschemas";
import { isObject } from "@/lib/access/model/json";
import { MAX_DEPTH, MAX_SUBSCHEMAS, problemOfSchema } from "@/lib/calls/schemas/schema-bounds";

/** Largest schema of a tool, in bytes of UTF-8 JSON (docs/reference/execution.md#sources). */
export const SCHEMA_BUDGET = 16 * 1024;

/** The note for an admin about a cut input schema. */
export const TOO_LARGE =
  "parts of its input schema were left out: it is larger than 16 KiB, nested deeper than 32 levels or has more than 500 schemas";

/** Keywords with schemas by name. A member `examples` in them is a property, not a keyword. */
const MAPS = new Set(["properties", "patternProperties", "dependentSchemas", "$defs"]);
/** Keywords with data, which contains no keywords. */
const DATA = new Set(["const", "enum", "default", "examples"]);

/** Replaces a part of a schema that does not fit. Use a copy in each place, because `boundSchema` counts objects. */
export const LEFT_OUT: JsonObject = { description: "Left out: the whole schema would be too large." };

/** The size of a schema, as the validator's limits count it. */
export interface SchemaMeasure {
  /** As UTF-8 JSON. */
  readonly bytes: number;
  /** The number of its schemas, including itself. */
  readonly schemas: number;
  readonly depth: number;
}

/** Measures a schema against the validator's limits. */
export function measureSchema(schema: Json): SchemaMeasure {
  let schemas = 0;
  const depthOf = (one: Json): number => {
    if (!isObject(one)) return 0;
    schemas += 1;
    let deepest = 0;
    mapSubschemas(one, (below) => {
      deepest = Math.max(deepest, depthOf(below));
      return below;
    });
    return deepest + 1;
  };
  const depth = depthOf(schema);
  return { bytes: sizeOf(schema), schemas, depth };
}

/** The measure of `LEFT_OUT`. */
export const LEFT_OUT_MEASURE = measureSchema(LEFT_OUT);

/** Size of a value as UTF-8 JSON, in bytes. */
export function sizeOf(value: Json): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/**
 * Cuts a schema to `SCHEMA_BUDGET` bytes. Removes examples first, then inner descriptions; then the largest properties accept
 * any value, or keep a bare type if that is smaller. If that is not enough, the last properties and everything else that is not
 * a property are removed. `pruned`: whether more than examples was removed.
 */
export function fitSchema(schema: JsonObject): { readonly schema: JsonObject; readonly pruned: boolean } {
  if (sizeOf(schema) <= SCHEMA_BUDGET) return { schema, pruned: false };
  const plain = without(schema, new Set(["examples"]), 0);
  if (sizeOf(plain) <= SCHEMA_BUDGET) return { schema: plain, pruned: false };
  const bare = without(plain, new Set(["description", "title"]), 2);
  return { schema: dropLargest(bare), pruned: true };
}

/**
 * Cuts a schema to the validator's limits on depth and number of schemas. Keeps the schemas nearest to the root; the
 * others accept any value. Returns the same object when it is within the limits.
 */
export function boundSchema(schema: JsonObject): JsonObject {
  if (problemOfSchema(schema) === null) return schema;
  const depths = new Map<JsonObject, number>([[schema, 1]]);
  const queue = [schema];
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    const depth = (depths.get(at) ?? 1) + 1;
    mapSubschemas(at, (one) => {
      if (isObject(one) && depth <= MAX_DEPTH && depths.size < MAX_SUBSCHEMAS && !depths.has(one)) {
        depths.set(one, depth);
        queue.push(one);
      }
      return one;
    });
  }
  const bounded = (at: Json): Json => (!isObject(at) ? at : depths.has(at) ? mapSubschemas(at, bounded) : true);
  return bounded(schema) as JsonObject;
}

function without(schema: JsonObject, keywords: ReadonlySet<string>, fromDepth: number, depth = 0): JsonObject {
  const kept: Record<string, Json> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (depth >= fromDepth && keywords.has(keyword)) continue;
    kept[keyword] = DATA.has(keyword)
      ? value
      : inner(keyword, value, (one) => without(one, keywords, fromDepth, depth + 1));
  }
  return kept;
}

/** Changes every schema directly below a keyword. */
function inner(keyword: string, value: Json, change: (schema: JsonObject) => JsonObject): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map((one) => (isObject(one) ? change(one) : one));
  if (!isObject(value)) return value;
  if (!MAPS.has(keyword)) return change(value);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, isObject(one) ? change(one) : one]));
}

function dropLargest(schema: JsonObject): JsonObject {
  const properties = schema["properties"];
  if (!isObject(properties)) return sizeOf(schema) <= SCHEMA_BUDGET ? schema : { ...typeOf(schema), ...LEFT_OUT };
  const fitted = new Map(Object.entries(properties));
  const gains = [...fitted]
    .map(([name, one]) => ({ name, least: leastOf(one), gain: sizeOf(one) - sizeOf(leastOf(one)) }))
    .toSorted((left, right) => right.gain - left.gain);
  let excess = sizeOf(schema) - SCHEMA_BUDGET;
  for (const { name, least, gain } of gains) {
    if (excess <= 0 || gain <= 0) break;
    fitted.set(name, least);
    excess -= gain;
  }
  return excess > 0 ? keepFirst(schema, fitted) : { ...schema, properties: Object.fromEntries(fitted) };
}

/**
 * The type of a schema and the properties that fit, required ones first. The other keywords only refuse values, so the
 * result accepts every value that the schema accepts.
 */
function keepFirst(schema: JsonObject, properties: ReadonlyMap<string, Json>): JsonObject {
  const { required: stated } = schema;
  const required = new Set(Array.isArray(stated) ? (stated as readonly Json[]) : []);
  const names = [...properties.keys()].toSorted((one, other) => +required.has(other) - +required.has(one));
  let left = SCHEMA_BUDGET - sizeOf({ ...typeOf(schema), properties: {}, required: [] });
  const kept = new Set<string>();
  for (const name of names) {
    const size = sizeOf({ [name]: properties.get(name) ?? true }) + (required.has(name) ? sizeOf([name]) : 0);
    if (size > left) continue;
    left -= size;
    kept.add(name);
  }
  const needed = names.filter((name) => kept.has(name) && required.has(name));
  return {
    ...typeOf(schema),
    properties: Object.fromEntries([...properties].filter(([name]) => kept.has(name))),
    ...(needed.length > 0 && { required: needed }),
  };
}

function typeOf({ type }: JsonObject): JsonObject {
  return typeof type === "string" ? { type } : {};
}

/** The smallest replacement of a property. A bare type is shorter than the note, and more useful. */
function leastOf(property: Json): Json {
  const bare = isObject(property) ? without(property, new Set(["description", "title"]), 0) : property;
  return sizeOf(bare) <= sizeOf(LEFT_OUT) ? bare : { ...LEFT_OUT };
}
