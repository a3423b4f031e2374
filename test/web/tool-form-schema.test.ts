import { createSchemaUtils } from "@rjsf/utils";
import { describe, expect, it } from "vitest";
import { formSchema, writtenOf } from "@/components/views/tools/form/tool-form-schema";
import { validator } from "@/components/views/tools/form/tool-form-validator";
import type { JsonObject } from "@/lib/access/model/configuration";

const shown = (properties: JsonObject, rest: JsonObject = {}) => {
  const { schema } = formSchema({ type: "object", properties, ...rest });
  return (schema?.["properties"] ?? {}) as Record<string, JsonObject>;
};

it("a default is shown and not sent; a pattern never runs in the browser", () => {
  expect(shown({ id: { type: "string", default: "A-1", pattern: "^(a+)+$", format: "uuid" } })).toEqual({
    id: { type: "string", examples: ["A-1"], $comment: "uuid" },
  });
});

it("a nullable value has the control of the value", () => {
  expect(
    shown({
      one: { anyOf: [{ type: "integer" }, { type: "null" }], default: null, description: "How many." },
      other: { type: ["string", "null"] },
    }),
  ).toEqual({ one: { type: "integer", description: "How many." }, other: { type: "string" } });
});

it("a reference is resolved in place, its sibling keywords win, and a recursive schema is edited as JSON", () => {
  const tree = { type: "object", properties: { kids: { type: "array", items: { $ref: "#/$defs/Tree" } } } };
  expect(shown({ top: { $ref: "#/$defs/Tree", description: "The top." } }, { $defs: { Tree: tree } })).toEqual({
    top: {
      type: "object",
      description: "The top.",
      properties: { kids: { type: "array", items: { $comment: "JSON" } } },
    },
  });
});

it("a schema without a control is edited as JSON", () => {
  expect(
    shown({
      anything: true,
      nothing: {},
      free: { type: "object", description: "Any object." },
      either: { type: ["string", "number"] },
      pair: { type: "array", prefixItems: [{ type: "string" }] },
      away: { $ref: "https://example.com/schema.json" },
    }),
  ).toEqual({
    anything: { $comment: "JSON" },
    nothing: { $comment: "JSON" },
    free: { $comment: "JSON", description: "Any object." },
    either: { $comment: "JSON" },
    pair: { $comment: "JSON" },
    away: { $comment: "JSON" },
  });
});

describe("a choice", () => {
  const by = (kind: string, name: string) => ({
    type: "object",
    required: ["kind"],
    properties: { kind: { const: kind }, [name]: { type: "string" } },
  });
  const { to } = shown({ to: { anyOf: [by("email", "address"), by("sms", "phone")] } });
  const options = to?.["oneOf"] as JsonObject[];

  it("is named by the constant that selects it, and its defaults contain that constant", () => {
    expect(options.map(({ title }) => title)).toEqual(["kind: email", "kind: sms"]);
    const utils = createSchemaUtils(validator, { type: "object" }, { constAsDefaults: "skipOneOf" });
    expect(utils.getDefaultFormState(options[1] ?? {})).toEqual({ kind: "sms" });
  });

  it("is selected for a value that has its constant", () => {
    const utils = createSchemaUtils(validator, { type: "object" });
    expect(utils.getClosestMatchingOption({ kind: "sms", phone: "1" }, options)).toBe(1);
    expect(utils.getClosestMatchingOption({ kind: "email" }, options)).toBe(0);
  });

  it("that only requires fields is not offered", () => {
    expect(
      shown({ a: { type: "object", properties: { b: { type: "string" } }, anyOf: [{ required: ["b"] }, {}] } }),
    ).toEqual({
      a: { type: "object", properties: { b: { type: "string" } } },
    });
  });
});

it("a schema without arguments or with too many has no form, and the reason is stated", () => {
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`field${index}`, { type: "string" }]));
  expect(formSchema({ type: "object" }).reason).toMatch(/has no arguments/);
  expect(formSchema({ type: "object", properties: many }).reason).toMatch(/too large/);
});

it("a value that the validator cannot judge fits no choice", () => {
  expect(validator.isValid({ $ref: "#/nowhere" }, {}, {})).toBe(false);
});

it("an optional object or list that holds nothing is not sent, a required one and what no schema names are", () => {
  const { schema } = formSchema({
    type: "object",
    required: ["must"],
    properties: {
      may: { type: "object", properties: { a: { type: "string" } } },
      must: { type: "array", items: { type: "string" } },
      deep: { type: "object", properties: { list: { type: "array", items: { type: "string" } } } },
      any: true,
    },
  });
  expect(writtenOf(schema ?? {}, { may: {}, must: [], deep: { list: [] }, any: {}, other: {} })).toEqual({
    must: [],
    any: {},
    other: {},
  });
});
