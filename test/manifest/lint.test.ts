import { expect, it } from "vitest";
import { LINTERS, type VendorFormat } from "@/test/manifest/lint";

const text = { type: "string" };
const schema = (more: object = {}, properties: object = { a: text }) => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
});
const openAi = (parameters: object, strict: boolean, more: object = {}) => [
  { type: "function", name: "tool", description: "A tool.", parameters, strict, ...more },
];
const anthropic = (input_schema: object, more: object = {}) => ({
  name: "tool",
  description: "A tool.",
  input_schema,
  ...more,
});
const strict = { strict: true };
const deep = (levels: number): object => (levels === 0 ? text : schema({}, { a: deep(levels - 1) }));
const loop = { $ref: "#/$defs/one" };

// Lists that vendors refuse, most with the words of their errors. Each linter must find the problem.
it.each<[VendorFormat, string, readonly object[]]>([
  ["openai", "a name that is too long", openAi(schema(), true, { name: "a".repeat(65) })],
  ["openai", "a name with a colon", openAi(schema(), true, { name: "source:tool" })],
  ["openai", "a field of ours", openAi(schema(), true, { notes: [] })],
  ["openai", "alternatives at the root", openAi({ ...schema(), anyOf: [{ required: ["a"] }] }, false)],
  ["openai", "a list without items, not strict", openAi(schema({}, { a: { type: "array" } }), false)],
  ["openai", "an optional property", openAi({ ...schema(), required: [] }, true)],
  ["openai", "a required property that does not exist", openAi({ ...schema(), required: ["a", "b"] }, true)],
  ["openai", "an open object", openAi({ ...schema(), additionalProperties: true }, true)],
  ["openai", "an open object below", openAi(schema({}, { a: { type: "object", properties: {}, required: [] } }), true)],
  ["openai", "`minLength`", openAi(schema({}, { a: { type: "string", minLength: 1 } }), true)],
  ["openai", "`oneOf`", openAi(schema({}, { a: { oneOf: [text] } }), true)],
  ["openai", "no type", openAi(schema({}, { a: {} }), true)],
  ["openai", "an unknown format", openAi(schema({}, { a: { type: "string", format: "int32" } }), true)],
  [
    "openai",
    "a description beside a reference",
    openAi(schema({ $defs: { one: text } }, { a: { ...loop, description: "It." } }), true),
  ],
  ["openai", "eleven levels", openAi(deep(11), true)],
  [
    "openai",
    "too many enum values",
    openAi(schema({}, { a: { type: "string", enum: Array.from({ length: 1001 }, (_, at) => `v${at}`) } }), true),
  ],
  ["openai-chat", "a function that is not wrapped", [{ type: "function", function: { ...openAi({}, true)[0] } }]],
  ["anthropic", "a property key with brackets", [anthropic(schema({}, { "filter[id]": text }))]],
  ["anthropic", "alternatives at the root", [anthropic({ ...schema(), oneOf: [{}] })]],
  ["anthropic", "21 strict tools", Array.from({ length: 21 }, () => anthropic(schema(), strict))],
  [
    "anthropic",
    "25 optional parameters",
    [
      anthropic(
        schema({ required: [] }, Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`p${at}`, text]))),
        strict,
      ),
    ],
  ],
  [
    "anthropic",
    "17 union types",
    [
      anthropic(
        schema({}, Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`p${at}`, { type: ["string", "null"] }]))),
        strict,
      ),
    ],
  ],
  ["anthropic", "`minimum`", [anthropic(schema({}, { a: { type: "integer", minimum: 1 } }), strict)]],
  [
    "anthropic",
    "a schema that contains itself",
    [anthropic(schema({ $defs: { one: schema({}, { b: loop }) } }, { a: loop }), strict)],
  ],
  ["anthropic", "nothing that is not deferred", [anthropic(schema(), { defer_loading: true })]],
  [
    "gemini",
    "`minLength`",
    [{ name: "tool", description: "", parametersJsonSchema: schema({}, { a: { type: "string", minLength: 1 } }) }],
  ],
  [
    "gemini",
    "words beside a reference",
    [{ name: "tool", description: "", parametersJsonSchema: schema({}, { a: { ...loop, title: "It" } }) }],
  ],
  ["gemini", "a name that begins with a digit", [{ name: "1tool", description: "", parametersJsonSchema: schema() }]],
  ["mcp", "a root that is no object", [{ name: "tool", description: "", inputSchema: { type: "string" } }]],
])("the linter of %s finds %s", (format, _, tools) => {
  expect(LINTERS[format](tools)).not.toEqual([]);
});

it("the linters find nothing in an empty list", () => {
  expect(LINTERS.openai(openAi(deep(10), true))).toEqual([]);
  expect(LINTERS.anthropic([anthropic(schema(), strict)])).toEqual([]);
});
