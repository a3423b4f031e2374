import { describe, expect, it } from "vitest";
import type { JsonObject } from "@/lib/access/model/configuration";
import { LINTERS, type VendorFormat } from "@/test/manifest/lint";
import { entryOf, renderManifest } from "@/test/manifest/tools";

const text = { type: "string" };

function one(format: VendorFormat, schema: JsonObject) {
  const { data, notes } = renderManifest(format, [entryOf(schema)]);
  expect(LINTERS[format](data)).toEqual([]);
  return { tool: data[0] as Record<string, JsonObject> | undefined, notes };
}

describe("alternatives at the root", () => {
  const schema: JsonObject = {
    type: "object",
    properties: { id: text },
    required: ["id"],
    anyOf: [
      { properties: { mail: text }, required: ["mail"] },
      { properties: { phone: text }, required: ["phone"] },
    ],
  };

  it.each<[VendorFormat, string]>([
    ["openai", "parameters"],
    ["anthropic", "input_schema"],
    ["gemini", "parametersJsonSchema"],
  ])("are stated to %s, and all their properties are offered", (format, field) => {
    const { tool } = one(format, schema);
    expect(tool?.[field]).toMatchObject({ properties: { id: text, mail: text, phone: text }, required: ["id"] });
    expect(tool?.[field]?.["description"]).toContain('"required":["phone"]');
  });

  it.each<VendorFormat>(["openai", "anthropic"])("make the tool non-strict for %s", (format) => {
    expect(one(format, schema).tool?.["strict"] ?? false).toBe(false);
    expect(one(format, schema).notes).toEqual([
      { name: "tool", kind: "not_strict", reason: "`anyOf` beside properties." },
    ]);
  });
});

describe("a property that Anthropic's API cannot name", () => {
  const schema = (required: readonly string[]): JsonObject => ({
    type: "object",
    properties: { "filter[id]": text, name: text },
    required,
    additionalProperties: false,
  });

  it("is not offered when the tool can be called without it", () => {
    const { tool, notes } = one("anthropic", schema(["name"]));
    expect(Object.keys(tool?.["input_schema"]?.["properties"] ?? {})).toEqual(["name"]);
    expect(notes).toEqual([
      { name: "tool", kind: "narrowed", reason: 'The property "filter[id]" has a name that the API does not accept.' },
    ]);
  });

  it("removes the tool when it is required; other formats keep the tool", () => {
    const { tool, notes } = one("anthropic", schema(["filter[id]"]));
    expect([tool, notes.map(({ kind }) => kind)]).toEqual([undefined, ["left_out"]]);
    expect(one("openai", schema(["filter[id]"])).tool?.["parameters"]?.["properties"]).toHaveProperty("filter[id]");
  });
});

describe("a keyword without constraints", () => {
  it("moves to the description when strict mode lacks it", () => {
    const { tool } = one("openai", {
      type: "object",
      properties: { limit: { type: "integer", format: "int32", default: 10, description: "How many." } },
      required: ["limit"],
    });
    expect(tool).toMatchObject({
      strict: true,
      parameters: {
        properties: { limit: { type: "integer", description: 'How many. {format: "int32", default: 10}' } },
      },
    });
  });
});

describe("an array without `items`", () => {
  const list = { type: "array" };

  it("is completed for OpenAI in every subschema, also below names that are keywords, and never in data", () => {
    const data = { enum: [list, { type: "text" }], default: list, examples: [list] };
    const { tool } = one("openai", {
      type: "object",
      properties: { shape: data, same: { const: list }, enum: list, either: { anyOf: [list, text] } },
      patternProperties: { "^x": list },
    });
    expect(tool).toMatchObject({ strict: false });
    expect(tool?.["parameters"]).toMatchObject({
      properties: {
        shape: data,
        same: { const: list },
        enum: { type: "array", items: {} },
        either: { anyOf: [{ type: "array", items: {} }, text] },
      },
      patternProperties: { "^x": { type: "array", items: {} } },
    });
    const properties = tool?.["parameters"]?.["properties"] as JsonObject | undefined;
    expect([properties?.["shape"], properties?.["same"]]).toEqual([data, { const: list }]);
  });
});

describe("the target of a reference", () => {
  it("is examined once, however often it is named", () => {
    const places = Array.from({ length: 20_000 }, (_, at) => `place ${at}`);
    const names = Array.from({ length: 8_000 }, (_, at) => `p${at}`);
    const { tool } = one("anthropic", {
      type: "object",
      properties: Object.fromEntries(names.map((name) => [name, { $ref: "#/$defs/place" }])),
      required: names,
      $defs: { place: { type: "string", enum: places } },
    });
    expect(tool).toBeDefined();
  });

  it("is in `$defs` for Gemini, which documents no other place; an unresolvable reference accepts anything", () => {
    const { tool } = one("gemini", {
      type: "object",
      properties: {
        from: { $ref: "#/definitions/place" },
        to: { $ref: "#/properties/from" },
        by: { $ref: "#/$defs/place" },
        parts: { type: "array", items: { $ref: "#" } },
        lost: { $ref: "#/definitions/lost" },
      },
      definitions: {
        place: { type: "object", properties: { near: { $ref: "#/definitions/place" } }, minProperties: 1 },
      },
      $defs: { place: text },
    });
    expect(tool?.["parametersJsonSchema"]).toMatchObject({
      properties: {
        from: { $ref: "#/$defs/place_2" },
        to: { $ref: "#/$defs/from" },
        by: { $ref: "#/$defs/place" },
        parts: { items: { $ref: expect.stringMatching(/^#\/\$defs\/./) as string } },
        lost: {},
      },
      $defs: {
        place: text,
        place_2: {
          type: "object",
          properties: { near: { $ref: "#/$defs/place_2" } },
          description: "{minProperties: 1}",
        },
        from: { $ref: "#/$defs/place_2" },
        it: { type: "object", properties: { parts: { items: { $ref: "#/$defs/it" } } } },
      },
    });
  });
});
