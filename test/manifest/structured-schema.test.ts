import { expect, it } from "vitest";
import { refusesNull, structuredSchema } from "@/lib/manifest/mcp";

const list = { $ref: "#/$defs/a", $defs: { a: { type: "array" } } };

it.each([
  [{ type: "object" }, { type: "object" }],
  [
    { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { type: "object" } } },
    { type: "object", $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { type: "object" } } },
  ],
  [list, null],
  [{ $ref: "#" }, null],
  [{ $ref: "#/$defs/nowhere" }, null],
  [{ type: "array" }, null],
  [null, null],
])("the output schema %j reaches MCP clients up to 2025-11-25 as %j", (schema, expected) => {
  expect(structuredSchema(schema, "object")).toEqual(expected);
});

it.each([[{ type: "array", items: { type: "string" } }], [list], [{ anyOf: [{ type: "string" }, { type: "null" }] }]])(
  "the output schema %j reaches MCP clients of 2026-07-28 as it is",
  (schema) => {
    expect(structuredSchema(schema, "any")).toEqual(schema);
  },
);

it.each([
  [list, true],
  [{ type: "string" }, true],
  [{ type: ["string", "null"] }, false],
  [{ anyOf: [{ type: "null" }] }, false],
])("whether %j says that no answer is null: %j", (schema, expected) => {
  expect(refusesNull(schema)).toBe(expected);
});
