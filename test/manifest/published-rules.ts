import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

/**
 * The vendors' published rules about tools as data, written from their pages and errors, independently of the
 * renderers. Each schema describes one node of a tool's input schema, or a tool.
 */
export const OPENAI_NAME = "^[a-zA-Z0-9_-]{1,64}$"; // openai SDK, FunctionDefinition.name
export const ANTHROPIC_NAME = "^[a-zA-Z0-9_-]{1,64}$"; // platform.claude.com, "Define tools"
export const GEMINI_NAME = "^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$"; // @google/genai, FunctionDeclaration.name
export const MCP_NAME = "^[A-Za-z0-9_.-]{1,128}$"; // MCP 2025-11-25 and 2026-07-28, Tool Names

const text = { type: "string" };
const scalar = { type: ["string", "number", "boolean", "null"] };
const node = { $ref: "#/$defs/node" };
const nodes = { type: "array", minItems: 1, items: node };
const nodeMap = { type: "object", additionalProperties: node };
const ref = { type: "string", pattern: "^#/\\$defs/[^/]+$" };

interface Subset {
  /** Keywords by the type that they may accompany. */
  readonly string?: object;
  readonly number?: object;
  readonly array?: object;
}

/** Strict subsets: a reference alone, alternatives, or one type (with null) and its keywords. */
function strictSubset({ string, number, array }: Subset): object {
  const typed = (name: string, keywords: object = {}, required: readonly string[] = []) => ({
    type: "object",
    properties: {
      type: {
        anyOf: [
          { const: name },
          {
            type: "array",
            items: { enum: [name, "null"] },
            minItems: 2,
            maxItems: 2,
            uniqueItems: true,
            contains: { const: name },
          },
        ],
      },
      description: text,
      enum: { type: "array", minItems: 1, items: scalar },
      const: scalar,
      ...keywords,
    },
    required: ["type", ...required],
    additionalProperties: false,
  });
  const object = {
    properties: nodeMap,
    required: { type: "array", items: text, uniqueItems: true },
    additionalProperties: { const: false },
  };
  const root = typed("object", { ...object, $defs: nodeMap }, Object.keys(object));
  return {
    ...root,
    $defs: {
      node: {
        anyOf: [
          { type: "object", properties: { $ref: ref }, required: ["$ref"], additionalProperties: false },
          {
            type: "object",
            properties: { anyOf: nodes, description: text },
            required: ["anyOf"],
            additionalProperties: false,
          },
          typed("string", string),
          typed("number", number),
          typed("integer", number),
          typed("boolean"),
          typed("null"),
          typed("array", { items: node, ...array }, ["items"]),
          typed("object", object, Object.keys(object)),
        ],
      },
    },
  };
}

const count = { type: "integer", minimum: 0 };
const numeric = { type: "number" };

/** developers.openai.com/api/docs/guides/structured-outputs, "Supported schemas". */
const openAiStrict = strictSubset({
  string: {
    pattern: text,
    format: { enum: ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"] },
  },
  number: {
    multipleOf: numeric,
    maximum: numeric,
    exclusiveMaximum: numeric,
    minimum: numeric,
    exclusiveMinimum: numeric,
  },
  array: { minItems: count, maxItems: count },
});

/** platform.claude.com/docs/en/build-with-claude/structured-outputs, "JSON Schema limitations". */
const anthropicStrict = strictSubset({
  string: {
    format: { enum: ["date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"] },
  },
  array: { minItems: { enum: [0, 1] } },
});

/** "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'const'/'not' at the top level" (OpenAI). */
const plainRoot = {
  type: "object",
  properties: { type: { const: "object" }, properties: { type: "object" } },
  required: ["type", "properties"],
  not: { anyOf: ["oneOf", "anyOf", "allOf", "enum", "const", "not"].map((keyword) => ({ required: [keyword] })) },
};

/**
 * @google/genai, `responseJsonSchema`: the documented part of JSON Schema; next to `$ref` only keywords that begin with
 * `$`.
 */
const gemini = {
  ...node,
  $defs: {
    node: {
      anyOf: [
        { type: "object", properties: { $ref: text }, required: ["$ref"], additionalProperties: false },
        { type: "boolean" },
        {
          type: "object",
          properties: {
            $defs: nodeMap,
            type: true,
            format: text,
            title: text,
            description: text,
            enum: { type: "array", items: { type: ["string", "number"] } },
            items: node,
            prefixItems: nodes,
            minItems: count,
            maxItems: count,
            minimum: numeric,
            maximum: numeric,
            anyOf: nodes,
            oneOf: nodes,
            properties: nodeMap,
            additionalProperties: node,
            required: { type: "array", items: text },
          },
          additionalProperties: false,
        },
      ],
    },
  },
};

const ajv = new Ajv2020({ strict: false, allErrors: false });
const compiled = (schema: object): ValidateFunction => ajv.compile(schema);

/** The rules above as validators. */
export const RULES = {
  openAiStrict: compiled(openAiStrict),
  anthropicStrict: compiled(anthropicStrict),
  plainRoot: compiled(plainRoot),
  gemini: compiled(gemini),
};

/** The problem that a rule found, in one line; empty = none. */
export function broken(rule: keyof typeof RULES, value: unknown): readonly string[] {
  const validate = RULES[rule];
  return validate(value) ? [] : [`${rule}: ${ajv.errorsText(validate.errors)}`];
}
