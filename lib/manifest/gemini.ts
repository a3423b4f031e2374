import type { Json, JsonObject } from "@/lib/access/configuration";
import type { ManifestEntry } from "@/lib/manifest/entries";
import { entriesOf, isObject, jsonTypeOf, listOf } from "@/lib/manifest/json-schema";
import { plainRoot } from "@/lib/manifest/plain-root";
import type { RenderedTool } from "@/lib/manifest/rendered";
import { toldOf } from "@/lib/manifest/schema-keywords";
import { toldDescription } from "@/lib/manifest/told-description";

/** The JSON Schema that the vendor documents (@google/genai, `responseJsonSchema`); the rest is told in descriptions. */
const KEYWORDS: ReadonlySet<string> = new Set(
  `$defs $ref type format title description enum items prefixItems minItems maxItems minimum maximum
  anyOf oneOf properties additionalProperties required`.split(/\s+/),
);
const MAPS: ReadonlySet<string> = new Set(["$defs", "properties"]);

/** A function declaration of Google's Gemini API. */
export function toGemini(entry: ManifestEntry): RenderedTool {
  const { tool, exposedName } = entry.resolved;
  return {
    tool: {
      name: exposedName,
      description: toldDescription(entry),
      parametersJsonSchema: documented(plainRoot(tool.inputSchema)),
    },
    notes: [],
  };
}

function documented(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(documented);
  if (!isObject(schema)) return schema;
  // Nothing may stand beside a reference.
  const { $ref } = schema;
  if ($ref !== undefined) return { $ref };
  const stated = withEnum(schema);
  const dropped = Object.keys(stated).filter((keyword) => !KEYWORDS.has(keyword));
  const kept = Object.entries(stated).filter(([keyword]) => KEYWORDS.has(keyword));
  return {
    ...Object.fromEntries(
      kept.map(([keyword, value]) => [keyword, MAPS.has(keyword) ? each(value) : inner(keyword, value)]),
    ),
    ...toldOf(stated, dropped),
  };
}

const SCHEMAS: ReadonlySet<string> = new Set(["items", "prefixItems", "anyOf", "oneOf", "additionalProperties"]);

function inner(keyword: string, value: Json): Json {
  return SCHEMAS.has(keyword) ? documented(value) : value;
}

function each(schemas: Json): JsonObject {
  return Object.fromEntries(entriesOf(schemas).map(([name, schema]) => [name, documented(schema)]));
}

/** `enum` is for strings and numbers: a `const` of one becomes one, and other values are told. */
function withEnum({ enum: values, const: only, ...schema }: JsonObject): JsonObject {
  const all = only === undefined ? listOf(values) : [only];
  if (all.length === 0) return schema;
  const isStated = all.every((value) => ["string", "number"].includes(jsonTypeOf(value)));
  return isStated ? { ...schema, enum: all } : { ...schema, values: all };
}
