import type { Json, JsonObject } from "@/lib/access/configuration";

/** The keywords that strict mode understands; any other makes it refuse the schema. */
const STRICT_KEYWORDS: ReadonlySet<string> = new Set([
  "type",
  "title",
  "description",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "enum",
  "const",
  "anyOf",
  "$ref",
  "$defs",
  "pattern",
  "format",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minItems",
  "maxItems",
]);
const MAX_DEPTH = 10;

/**
 * Whether OpenAI's strict mode accepts a schema as it is: known keywords only, every object closed, every
 * property required.
 */
export function isStrictlyExpressible(schema: JsonObject): boolean {
  return isStrict(schema, 1);
}

function isStrict(schema: Json | undefined, depth: number): boolean {
  if (!isObject(schema) || depth > MAX_DEPTH) return false;
  if (Object.keys(schema).some((keyword) => !STRICT_KEYWORDS.has(keyword))) return false;
  return isClosed(schema) && subschemas(schema).every((inner) => isStrict(inner, depth + 1));
}

function isClosed({ type, properties, required, additionalProperties }: JsonObject): boolean {
  if (type !== "object" && properties === undefined) return true;
  const names = isObject(properties) ? Object.keys(properties) : [];
  const listed: readonly Json[] = Array.isArray(required) ? required : [];
  return additionalProperties === false && names.every((name) => listed.includes(name));
}

function subschemas({ properties, items, anyOf, $defs }: JsonObject): readonly Json[] {
  const alternatives: readonly Json[] = Array.isArray(anyOf) ? anyOf : [];
  return [
    ...(isObject(properties) ? Object.values(properties) : []),
    ...(items === undefined ? [] : [items]),
    ...alternatives,
    ...(isObject($defs) ? Object.values($defs) : []),
  ];
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
