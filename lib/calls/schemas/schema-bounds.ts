import { isObject } from "@/lib/access/model/json";
import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { SCHEMA_KEYWORDS, SCHEMA_MAPS } from "@/lib/manifest/schema/subschemas";

/** The largest untrusted schema in bytes, as UTF-8 JSON (docs/reference/execution.md#schemas). */
export const MAX_SCHEMA_BYTES = 64 * 1024;
/** The deepest nesting of its subschemas. */
export const MAX_DEPTH = 32;
/** How many schemas it may have. */
export const MAX_SUBSCHEMAS = 500;

/** Keywords that refer outside the schema or change its meaning, at any position. */
const REFUSED = new Set(["$id", "id", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$async", "x-mcp-header"]);
const DIALECTS = [
  /^https:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/,
  /^http:\/\/json-schema\.org\/draft-07\/schema#?$/,
];

/** Why an untrusted schema is not compiled: one sentence, or `null` when it may be. */
export function problemOfSchema(schema: JsonObject): string | null {
  if (Buffer.byteLength(JSON.stringify(schema)) > MAX_SCHEMA_BYTES)
    return `the schema is larger than ${MAX_SCHEMA_BYTES / 1024} KiB`;
  return new SchemaWalk().problemOf(schema, 1);
}

class SchemaWalk {
  #count = 0;

  problemOf(schema: Json | undefined, depth: number): string | null {
    if (!isObject(schema)) return null;
    this.#count += 1;
    if (this.#count > MAX_SUBSCHEMAS) return `the schema has more than ${MAX_SUBSCHEMAS} subschemas`;
    if (depth > MAX_DEPTH) return `the schema is nested deeper than ${MAX_DEPTH} levels`;
    return this.#firstOf(Object.entries(schema), ([keyword, value]) => this.#problemAt(keyword, value, depth));
  }

  #problemAt(keyword: string, value: Json, depth: number): string | null {
    if (REFUSED.has(keyword) && typeof value !== "object")
      return `the schema uses \`${keyword}\`, which is not accepted`;
    if (keyword === "$ref" && typeof value === "string" && !value.startsWith("#"))
      return `the schema refers to another document (\`$ref\`: ${value.slice(0, 200)})`;
    if (keyword === "$schema" && !DIALECTS.some((dialect) => dialect.test(String(value))))
      return `the schema's dialect \`${String(value).slice(0, 200)}\` is not known`;
    if (SCHEMA_MAPS.has(keyword) && typeof value === "object" && value !== null)
      return this.#firstOf(Object.values(value), (inner: Json) => this.problemOf(inner, depth + 1));
    if (!SCHEMA_KEYWORDS.has(keyword)) return null;
    const schemas: readonly Json[] = Array.isArray(value) ? value : [value];
    return this.#firstOf(schemas, (inner) => this.problemOf(inner, depth + 1));
  }

  #firstOf<T>(items: readonly T[], problemOf: (item: T) => string | null): string | null {
    for (const item of items) {
      const problem = problemOf(item);
      if (problem !== null) return problem;
    }
    return null;
  }
}
