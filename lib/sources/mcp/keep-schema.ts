import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { mapSubschemas } from "@/lib/manifest/schema/subschemas";
import { cleanSchema } from "@/lib/sources/openapi/clean-schema";
import { SCHEMA_BUDGET, sizeOf } from "@/lib/sources/openapi/fit-schema";
import { isObject } from "@/lib/access/model/json";
import { atPointer, pointersOfAnchors } from "@/lib/sources/openapi/reference";
import { SchemaBundler } from "@/lib/sources/openapi/schema-bundle";
import { isSame } from "@/lib/sources/drift/upstream-definition";
import { problemOfSchema } from "@/lib/calls/schemas/schema-bounds";

/** The dialect of every stored schema. */
const DIALECT = "https://json-schema.org/draft/2020-12/schema";
/** Dialects that can be stored, as they are or translated. */
const KEPT_DIALECTS = /^(https:\/\/json-schema\.org\/draft\/2020-12|http:\/\/json-schema\.org\/draft-07)\/schema#?$/;

type Note = (message: string) => void;
/** A schema that can be stored, and whether it was cut for its size. */
interface KeptSchema {
  readonly schema: JsonObject;
  readonly pruned: boolean;
}

/**
 * Prepares a schema of an MCP server for storing. Keeps the author's form without keywords that our validators lack. When
 * it is too large or a reference leads to a missing part, bundles the references within the budget.
 */
export function keepSchema(schema: JsonObject, note: Note): KeptSchema {
  const notes: string[] = [];
  const written = asWritten(schema, (message) => notes.push(message));
  if (written === null) return bundleSchema(schema, note);
  notes.forEach(note);
  return { schema: withDialect(written, schema["$schema"], note), pruned: false };
}

/**
 * Bundles everything that a schema references to under new names, without a dialect. Earlier versions stored schemas so.
 *
 * @param hasCheckedPatterns whether the import of the schema has checked its patterns
 */
export function bundleSchema(schema: JsonObject, note: Note, hasCheckedPatterns = false): KeptSchema {
  const bundler = new SchemaBundler(schema, { hasCheckedPatterns });
  const part = bundler.cleanPart(schema, note);
  return bundler.bundle({ schema: isObject(part.schema) ? part.schema : {}, references: part.references }, note);
}

/** The schema in its author's form; `null` when it must be bundled. */
function asWritten(schema: JsonObject, note: Note): JsonObject | null {
  let anchors: ReadonlyMap<string, string> | null = null;
  const refer = (stated: string): string | null => {
    anchors ??= /^#[^/]/.test(stated) ? pointersOfAnchors(schema) : null;
    const reference = anchors?.get(stated) ?? stated;
    if (atPointer(schema, reference) !== undefined) return reference;
    note(`the reference ${stated.slice(0, 200)} leads nowhere inside the schema: left out`);
    return null;
  };
  const clean = cleanSchema(schema, { refer, note, inPlace: true });
  if (!isObject(clean) || sizeOf(clean) > SCHEMA_BUDGET || problemOfSchema(clean) !== null) return null;
  return refersToSchemas(clean) ? clean : null;
}

/** Whether each reference leads to a schema inside this one. */
function refersToSchemas(root: JsonObject): boolean {
  const schemas = new Set<Json>();
  const references = new Set<string>();
  const walk = (schema: Json): Json => {
    if (!isObject(schema)) return schema;
    schemas.add(schema);
    if (typeof schema["$ref"] === "string") references.add(schema["$ref"]);
    return mapSubschemas(schema, walk);
  };
  walk(root);
  return [...references].every((reference) => {
    const target = atPointer(root, reference);
    return target !== undefined && (typeof target === "boolean" || schemas.has(target));
  });
}

function withDialect(schema: JsonObject, dialect: Json | undefined, note: Note): JsonObject {
  if (dialect === undefined) return schema;
  // Cleaning has translated draft-07 keywords, so the result is of the newer dialect.
  if (typeof dialect === "string" && KEPT_DIALECTS.test(dialect)) return { $schema: DIALECT, ...schema };
  note(`\`$schema\` is left out: the schema is read as JSON Schema 2020-12`);
  return schema;
}

/**
 * Whether a stored schema is the bundled form of this one, which an import has cleaned, as an earlier version stored it.
 * Never true for a schema with anchors, because nobody has approved their names.
 */
export function isSameBundled(now: JsonObject, stored: JsonObject): boolean {
  if (JSON.stringify(now).includes('"$anchor"')) return false;
  return isSame(bundleSchema(now, () => {}, true).schema, stored);
}
