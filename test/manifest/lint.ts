import { ToolSchema } from "@modelcontextprotocol/core";
import { transformJSONSchema } from "@anthropic-ai/sdk/lib/transform-json-schema";
import { toStrictJsonSchema } from "openai/lib/transform";
import type { ManifestFormat } from "@/lib/contracts/agents/agent-api";
import { ANTHROPIC_NAME, broken, GEMINI_NAME, MCP_NAME, OPENAI_NAME } from "@/test/manifest/published-rules";

/** A JSON Schema, or a part of one, as these checks walk through it. */
type Schema = Readonly<Record<string, unknown>>;

interface OpenAiFunction {
  readonly name: string;
  readonly description: string;
  readonly parameters: Schema;
  readonly strict: boolean;
}

/** A format with the published rules of a vendor. */
export type VendorFormat = Exclude<ManifestFormat, "native">;

/** The problems that a vendor would find in a list; none = it would accept the list. */
export const LINTERS: Readonly<Record<VendorFormat, (tools: readonly object[]) => readonly string[]>> = {
  openai: (tools) =>
    (tools as readonly (OpenAiFunction & { type: string })[]).filter(({ type }) => type === "function").flatMap(openAi),
  "openai-chat": (tools) =>
    (tools as readonly { function: OpenAiFunction }[]).flatMap((tool) => [
      ...keysOf(tool, ["type", "function"]),
      ...openAi(tool.function),
    ]),
  anthropic,
  gemini: (tools) => (tools as readonly { name: string; parametersJsonSchema: Schema }[]).flatMap(gemini),
  mcp: (tools) => tools.flatMap(mcp),
};

function openAi(tool: OpenAiFunction): readonly string[] {
  const { name, parameters, strict } = tool;
  const found = [
    ...keysOf(tool, ["type", "name", "description", "parameters", "strict", "defer_loading"]),
    ...named(name, OPENAI_NAME),
    ...broken("plainRoot", parameters),
    ...(strict
      ? [...broken("openAiStrict", parameters), ...required(parameters), ...openAiLimits(parameters)]
      : listsWithoutItems(parameters)),
  ];
  // The vendor's own helper would change nothing.
  if (strict && found.length === 0 && !same(toStrictJsonSchema(parameters), parameters))
    found.push("the SDK would change it");
  return found.map((problem) => `${name}: ${problem}`);
}

/** "All fields must be required"; a required property must exist. */
function required(schema: Schema): readonly string[] {
  return objectsIn(schema)
    .filter(
      ({ properties, required: names }) =>
        !same(Object.keys(properties as object).toSorted(), [...(names as string[])].toSorted()),
    )
    .map(({ required: names }) => `required is not every property: ${JSON.stringify(names)}`);
}

/** "Objects have limitations on nesting depth and size", and the sizes of enums. */
function openAiLimits(schema: Schema): readonly string[] {
  const nodes = nodesIn(schema);
  const enums = nodes.flatMap(({ enum: values }) => (Array.isArray(values) ? [values as unknown[]] : []));
  const length = (texts: readonly unknown[]) =>
    texts.map((value) => (typeof value === "string" ? value.length : 0)).reduce((a, b) => a + b, 0);
  const names = nodes.flatMap(({ properties, $defs }) => [
    ...Object.keys(properties ?? {}),
    ...Object.keys($defs ?? {}),
  ]);
  const properties = objectsIn(schema).flatMap(({ properties: members }) => Object.keys(members as object)).length;
  const texts = length(names) + length(enums.flat()) + length(nodes.map((one) => one["const"]));
  return [
    ...(properties > 5000 ? ["more than 5000 properties"] : []),
    ...(objectDepth(schema) > 10 ? ["more than 10 levels"] : []),
    ...(texts > 120_000 ? ["more than 120000 characters"] : []),
    ...(enums.flat().length > 1000 ? ["more than 1000 enum values"] : []),
    ...(enums.some((values) => values.length > 250 && length(values) > 15_000) ? ["a large enum is too long"] : []),
  ];
}

function listsWithoutItems(schema: Schema): readonly string[] {
  return nodesIn(schema)
    .filter(({ type, items }) => [type].flat().includes("array") && items === undefined)
    .map(() => "array schema missing items");
}

interface AnthropicTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: Schema;
  readonly strict?: boolean;
  readonly defer_loading?: boolean;
  readonly type?: string;
}

function anthropic(list: readonly object[]): readonly string[] {
  const all = list as readonly AnthropicTool[];
  const tools = all.filter(({ type }) => type === undefined);
  const strict = tools.filter((tool) => tool.strict === true);
  const optional = strict
    .flatMap(({ input_schema }) => objectsIn(input_schema))
    .reduce(
      (sum, { properties, required: names }) =>
        sum + Object.keys(properties as object).length - (names as string[]).length,
      0,
    );
  const unions = strict
    .flatMap(({ input_schema }) => nodesIn(input_schema))
    .filter(({ anyOf, type }) => anyOf !== undefined || Array.isArray(type)).length;
  return [
    ...tools.flatMap(anthropicTool),
    // "Explicit limits"
    ...(strict.length > 20 ? [`${strict.length} strict tools`] : []),
    ...(optional > 24 ? [`${optional} optional parameters`] : []),
    ...(unions > 16 ? [`${unions} parameters with union types`] : []),
    ...(all.length > 0 && all.every((tool) => tool.defer_loading === true)
      ? ["All tools have defer_loading set."]
      : []),
  ];
}

function anthropicTool(tool: AnthropicTool): readonly string[] {
  const { name, input_schema: schema, strict } = tool;
  const found = [
    ...keysOf(tool, ["name", "description", "input_schema", "strict", "defer_loading"]),
    ...named(name, ANTHROPIC_NAME),
    ...broken("plainRoot", schema),
    ...Object.keys(schema["properties"] as object)
      .filter((key) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(key))
      .map((key) => `property key ${key}`),
  ];
  if (strict === true) {
    found.push(...broken("anthropicStrict", schema), ...(isRecursive(schema) ? ["recursive"] : []));
    // The SDK drops the type next to an enum or a const, which imply it. It must change nothing else.
    if (
      found.length === 0 &&
      !same(withoutLiteralTypes(transformJSONSchema(structuredClone(schema))), withoutLiteralTypes(schema))
    )
      found.push("the SDK would change it");
  }
  return found.map((problem) => `${name}: ${problem}`);
}

function withoutLiteralTypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutLiteralTypes);
  if (typeof value !== "object" || value === null) return value;
  const isLiteral = "enum" in value || "const" in value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== "type" || !isLiteral)
      .map(([key, inner]) => [key, key === "enum" ? inner : withoutLiteralTypes(inner)]),
  );
}

function gemini(tool: { readonly name: string; readonly parametersJsonSchema: Schema }): readonly string[] {
  return [
    ...keysOf(tool, ["name", "description", "parametersJsonSchema"]),
    ...named(tool.name, GEMINI_NAME),
    ...(tool.parametersJsonSchema["type"] === "object" ? [] : ["the root is not an object"]),
    ...broken("gemini", tool.parametersJsonSchema),
  ].map((problem) => `${tool.name}: ${problem}`);
}

function mcp(tool: object): readonly string[] {
  const parsed = ToolSchema.safeParse(tool);
  return parsed.success
    ? named(parsed.data.name, MCP_NAME)
    : [`${JSON.stringify(tool).slice(0, 80)}: ${parsed.error.message}`];
}

function named(name: string, pattern: string): readonly string[] {
  return new RegExp(pattern).test(name) ? [] : [`the name ${name}`];
}

/** "Extra inputs are not permitted". */
function keysOf(tool: object, allowed: readonly string[]): readonly string[] {
  return Object.keys(tool)
    .filter((key) => !allowed.includes(key))
    .map((key) => `the field ${key}`);
}

/** Every schema node, reached through the keywords that hold schemas. */
function nodesIn(schema: unknown): readonly Schema[] {
  if (typeof schema !== "object" || schema === null) return [];
  const one = schema as Schema;
  const maps = ["properties", "$defs", "patternProperties", "definitions"].flatMap((key) =>
    Object.values((one[key] ?? {}) as object),
  );
  const lists = ["anyOf", "oneOf", "allOf", "prefixItems"].flatMap((key) => (one[key] ?? []) as unknown[]);
  const singles = ["items", "additionalProperties", "not", "contains"].map((key) => one[key]);
  return [one, ...[...maps, ...lists, ...singles].flatMap(nodesIn)];
}

function objectsIn(schema: Schema): readonly Schema[] {
  return nodesIn(schema).filter(({ properties }) => properties !== undefined);
}

function objectDepth(schema: unknown): number {
  if (typeof schema !== "object" || schema === null) return 0;
  const { properties, items, anyOf, $defs } = schema as Schema;
  const below = [...Object.values((properties ?? {}) as object), items, ...((anyOf ?? []) as unknown[])];
  const here = (properties === undefined ? 0 : 1) + Math.max(0, ...below.map(objectDepth));
  return Math.max(here, ...Object.values(($defs ?? {}) as object).map(objectDepth));
}

function isRecursive(schema: Schema): boolean {
  const definitions = (schema["$defs"] ?? {}) as Record<string, unknown>;
  const refsOf = (value: unknown) =>
    nodesIn(value).flatMap(({ $ref }) => (typeof $ref === "string" ? [$ref.replace("#/$defs/", "")] : []));
  const reaches = (from: string, seen: readonly string[]): boolean =>
    refsOf(definitions[from]).some((name) => seen.includes(name) || reaches(name, [...seen, name]));
  return Object.keys(definitions).some((name) => reaches(name, [name]));
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}
