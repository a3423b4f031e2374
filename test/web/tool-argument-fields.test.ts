import { expect, it } from "vitest";
import { argumentFields } from "@/components/views/tool-argument-fields";

const controls = (schema: Parameters<typeof argumentFields>[0]) =>
  argumentFields(schema).map(({ name, kind, choices }) => [name, kind, ...choices]);

it("what must be sent is asked first, the rest in the schema's order", () => {
  const properties = { note: { type: "string" }, id: { type: "string" }, age: { type: "number" } };
  expect(argumentFields({ properties, required: ["age"] }).map(({ name }) => name)).toEqual(["age", "note", "id"]);
});

it("every type has the control that can say it, and JSON says the rest", () => {
  expect(
    controls({
      properties: {
        text: { type: ["string", "null"] },
        count: { type: "integer" },
        sure: { type: "boolean" },
        level: { enum: ["low", 2, null] },
        kind: { const: "fixed" },
        list: { type: "array" },
        either: { type: ["string", "number"] },
        anything: true,
      },
    }),
  ).toEqual([
    ["text", "text"],
    ["count", "number"],
    ["sure", "choice", "true", "false"],
    ["level", "choice", '"low"', "2", "null"],
    ["kind", "choice", '"fixed"'],
    ["list", "json"],
    ["either", "json"],
    ["anything", "json"],
  ]);
});

it("a local reference is followed; what stands beside it counts first", () => {
  const schema = {
    properties: { to: { $ref: "#/$defs/Place", description: "Where to." } },
    $defs: { Place: { type: "string", description: "A place.", examples: ["Bonn"] } },
  };
  expect(argumentFields(schema)).toEqual([
    { name: "to", kind: "text", choices: [], required: false, description: "Where to.", example: "Bonn" },
  ]);
});

it("a schema without properties asks nothing", () => {
  expect(argumentFields({ type: "object" })).toEqual([]);
});
