import { describe, expect, it } from "vitest";
import type { JsonObject } from "@/lib/access/model/configuration";
import { withoutForcedNulls } from "@/lib/manifest/schema/forced-nulls";
import { cpuMs } from "@/test/support/cpu-time";

const text = { type: "string" };
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: "object", properties, ...more });

describe("a null is removed", () => {
  it.each<[string, JsonObject, JsonObject, JsonObject]>([
    ["of an optional property", object({ a: text, b: text }), { a: "x", b: null }, { a: "x" }],
    ["in an object of the arguments", object({ a: object({ b: text }) }), { a: { b: null } }, { a: {} }],
    [
      "in a list",
      object({ a: { type: "array", items: object({ b: text }) } }),
      { a: [{ b: null }, { b: "x" }] },
      { a: [{}, { b: "x" }] },
    ],
    [
      "behind a reference",
      object({ a: { $ref: "#/$defs/d" } }, { $defs: { d: object({ b: text }) } }),
      { a: { b: null } },
      { a: {} },
    ],
    [
      "where an object may also be null",
      object({ a: { anyOf: [object({ b: text }), { type: "null" }] } }),
      { a: { b: null } },
      { a: {} },
    ],
    ["of a part of the schema", object({}, { allOf: [object({ a: text })] }), { a: null }, {}],
    ["that no value to choose is", object({ a: { enum: ["x", 1] } }), { a: null }, {}],
  ])("%s", (_, schema, args, cleaned) => {
    expect(withoutForcedNulls(args, schema)).toEqual(cleaned);
  });
});

describe("a null stays", () => {
  it.each<[string, JsonObject, JsonObject]>([
    ["that the type allows", object({ a: { type: ["string", "null"] } }), { a: null }],
    ["that is one of the values", object({ a: { enum: ["x", null] } }), { a: null }],
    ["that is the only value", object({ a: { const: null } }), { a: null }],
    ["that an alternative allows", object({ a: { anyOf: [text, { type: "null" }] } }), { a: null }],
    ["that OpenAPI's word allows", object({ a: { type: "string", nullable: true } }), { a: null }],
    ["where anything goes", object({ a: {} }), { a: null }],
    ["of a property that is required", object({ a: text }, { required: ["a"] }), { a: null }],
    ["of a property that is not described", object({ a: text }), { b: null }],
    ["in a list of values", object({ a: { type: "array", items: text } }), { a: [null] }],
    [
      "where it could be of another object",
      object({ a: { anyOf: [object({ b: text }), object({ b: {} })] } }),
      { a: { b: null } },
    ],
    [
      "of draft-07, where nothing counts beside a reference",
      object({ a: { $ref: "#/definitions/d", type: "string" } }, { definitions: { d: {} } }),
      { a: null },
    ],
    ["behind a reference that leads nowhere", object({ a: { $ref: "#/$defs/none" } }), { a: null }],
  ])("%s", (_, schema, args) => {
    expect(withoutForcedNulls(args, schema)).toBe(args);
  });
});

describe("a schema built to take exponential time", () => {
  const doubled = Object.fromEntries(
    Array.from({ length: 120 }, (_, at) => [
      `d${at}`,
      { allOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] },
    ]),
  );
  it.each<[string, JsonObject]>([
    ["refers to itself", object({ a: { $ref: "#/$defs/d" } }, { $defs: { d: { $ref: "#/$defs/d" } } })],
    [
      "doubles at each of many steps",
      object({ a: { $ref: "#/$defs/d0" } }, { $defs: { ...doubled, d120: text }, allOf: [{ $ref: "#/$defs/d0" }] }),
    ],
  ])("that %s is given up, and what is uncertain stays", (_, schema) => {
    const args = { a: null, b: { c: null } };
    expect(withoutForcedNulls(args, schema)).toBe(args);
  });
});

describe("many values of one schema", () => {
  const items = Array.from({ length: 20_000 }, () => ({}));
  const reference = (name: string) => ({ $ref: `#/$defs/${name}` });
  it.each<[string, JsonObject]>([
    [
      "that lists many alternatives",
      object(
        { items: { type: "array", items: { oneOf: Array.from({ length: 150 }, () => reference("event")) } } },
        { $defs: { event: object({ a: text }) } },
      ),
    ],
    [
      "whose alternatives lead to each other's lists",
      object(
        { items: { type: "array", items: { anyOf: Array.from({ length: 300 }, () => reference("some")) } } },
        {
          $defs: { some: { anyOf: Array.from({ length: 99 }, () => reference("event")) }, event: object({ a: text }) },
        },
      ),
    ],
    [
      "with many members",
      object({
        items: {
          type: "array",
          items: object(Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`m${at}`, text]))),
        },
      }),
    ],
  ])("%s examine it once", (_, schema) => {
    const args = { items };
    let cleaned = {};
    // Once for each value would take seconds.
    expect(cpuMs(() => (cleaned = withoutForcedNulls(args, schema)))).toBeLessThan(300);
    expect(cleaned).toBe(args);
  });
});
