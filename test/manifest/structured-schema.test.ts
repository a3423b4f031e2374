import { expect, it } from "vitest";
import { structuredSchema } from "@/lib/manifest/mcp";

it.each([
  [{ type: "object" }, { type: "object" }],
  [
    { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { type: "object" } } },
    { type: "object", $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { type: "object" } } },
  ],
  [{ $ref: "#/$defs/a", $defs: { a: { type: "array" } } }, null],
  [{ $ref: "#" }, null],
  [{ $ref: "#/$defs/nowhere" }, null],
  [{ type: "array" }, null],
  [null, null],
])("the output schema %j reaches MCP clients as %j", (schema, expected) => {
  expect(structuredSchema(schema)).toEqual(expected);
});
