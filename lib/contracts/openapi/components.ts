import { z } from "zod";
import type { Schema } from "@/lib/contracts/openapi/open-api";
import { INPUTS, OUTPUTS } from "@/lib/contracts/openapi/schemas";
import { ERRORS } from "@/lib/errors";

const BASE = "#/components/schemas/";
const JSON_REF = `${BASE}Json`;

/** Any JSON value: the schema of `z.json()`. */
const JSON_VALUE: Schema = {
  description: "Any JSON value.",
  anyOf: [
    { type: "string" },
    { type: "number" },
    { type: "boolean" },
    { type: "null" },
    { type: "array", items: { $ref: JSON_REF } },
    { type: "object", additionalProperties: { $ref: JSON_REF } },
  ],
};

/** An error (RFC 9457). Other members depend on the code: the `users` of a row in use, the `current` row. */
const PROBLEM: Schema = {
  type: "object",
  description: "An error (RFC 9457). Further members depend on `code`.",
  properties: {
    type: { type: "string", description: "`urn:quartermaster:error:` and the code." },
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string", description: "What is wrong and what to do; may be shown to people." },
    code: { type: "string", enum: Object.keys(ERRORS), description: "What programs decide by." },
    retryable: { type: "boolean", description: "Whether the same request may succeed later." },
    request_id: { type: "string", description: "Names the request in our log." },
    errors: {
      type: "array",
      description: "Fields at fault.",
      items: {
        type: "object",
        properties: { path: { type: "string" }, message: { type: "string" } },
        required: ["path", "message"],
        additionalProperties: false,
      },
    },
  },
  required: ["type", "title", "status", "detail", "code", "retryable", "request_id", "errors"],
};

/**
 * Every named schema as JSON Schema. Input and output differ: a field with a default is optional in the input and
 * always present in the output.
 */
export function componentSchemas(): Record<string, Schema> {
  const found = { ...published(INPUTS, "input"), ...published(OUTPUTS, "output"), Json: JSON_VALUE, Problem: PROBLEM };
  return Object.fromEntries(Object.entries(found).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * A reference to the named schema of an operation.
 * @throws Error for a schema without a name
 */
export function refTo(schema: z.ZodType, among: "sent" | "answered", operation: string): Schema {
  const tables = among === "sent" ? [INPUTS] : [OUTPUTS, INPUTS];
  for (const table of tables) {
    const name = Object.keys(table).find((key) => table[key] === schema);
    if (name !== undefined) return { $ref: BASE + name };
  }
  throw new Error(`A schema of ${operation} has no name: add it to lib/contracts/openapi/schemas.ts.`);
}

/** The JSON Schema of a query or of path parameters, inline. */
export function inlineSchema(schema: z.ZodType): Schema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: "input", override: tidy });
  return rest as Schema;
}

function published(table: Readonly<Record<string, z.ZodType>>, io: "input" | "output"): Record<string, Schema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(table)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { io, uri: (id) => BASE + id, override: tidy });
  const { __shared: shared, ...named } = schemas;
  requireJsonOnly(shared);
  const text = JSON.stringify(named).replaceAll(/"#\/components\/schemas\/__shared#[^"]*"/g, JSON.stringify(JSON_REF));
  return Object.fromEntries(
    Object.entries(JSON.parse(text) as Record<string, Schema & { $schema?: string; $id?: string }>).map(
      ([name, { $schema: _dialect, $id: _id, ...schema }]) => [name, schema],
    ),
  );
}

/**
 * zod moves recursive schemas into `$defs`. Only `z.json()` may be there: any other schema needs a name, or it would be
 * published as JSON.
 */
function requireJsonOnly(shared: { $defs?: Record<string, unknown> } | undefined): void {
  const shape = (schema: unknown) => JSON.stringify(schema).replaceAll(/"\$ref":"[^"]*"/g, "it");
  const [json] = Object.values(z.toJSONSchema(z.object({ it: z.json() }), { override: tidy }).$defs ?? {});
  if (Object.values(shared?.$defs ?? {}).some((found) => shape(found) !== shape(json)))
    throw new Error("A schema refers to itself and has no name: add it to lib/contracts/openapi/schemas.ts.");
}

/** Removes bounds that only say "a safe integer", and `propertyNames` that allow any text. */
function tidy({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (JSON.stringify(jsonSchema.propertyNames) === '{"type":"string"}') delete jsonSchema.propertyNames;
}
