import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { builtinTools } from "@/lib/calls/builtin/index";
import { compileTrusted } from "@/lib/calls/schemas/trusted-validator";
import { compileUntrusted } from "@/lib/calls/schemas/untrusted-validator";

type Case = readonly [what: string, schema: JsonObject, good: Json, bad: Json, pointer: string];

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: "object",
  properties,
  ...more,
});

const CASES: readonly Case[] = [
  ["types", object({ a: { type: "integer" } }), { a: 1 }, { a: "1" }, "/a"],
  ["required names", object({ a: {} }, { required: ["a"] }), { a: 1 }, {}, ""],
  ["own properties only", object({}, { required: ["toString"] }), { toString: 1 }, {}, ""],
  ["bounds", object({ a: { maximum: 5 } }), { a: 5 }, { a: 6 }, "/a"],
  ["lists", { type: "array", items: { type: "string" } }, ["a"], ["a", 1], "/1"],
  ["references", object({ a: { $ref: "#/$defs/n" } }, { $defs: { n: { enum: [1] } } }), { a: 1 }, { a: 2 }, "/a"],
  ["patterns, unanchored", object({ a: { pattern: "b+" } }), { a: "abbc" }, { a: "ac" }, "/a"],
  ["closed objects", object({ a: {} }, { additionalProperties: false }), { a: 1 }, { b: 1 }, ""],
  [
    "draft-07",
    { $schema: "http://json-schema.org/draft-07/schema#", ...object({ a: { const: 1 } }) },
    { a: 1 },
    { a: 2 },
    "/a",
  ],
  [
    "two patterns that differ",
    object({ a: { type: "string", pattern: "^a+$" }, b: { type: "string", pattern: "^b+$" } }),
    { a: "aa", b: "bb" },
    { a: "aa", b: "aa" },
    "/b",
  ],
  [
    "pattern properties",
    { patternProperties: { "^n_": { type: "number" } } },
    { n_a: 1, x: "y" },
    { n_a: "1" },
    "/n_a",
  ],
];

describe.each(CASES)("%s", (_what, schema, good, bad, pointer) => {
  it.each([
    ["our own code's validator", async () => compileTrusted(schema)],
    ["other people's", () => compileUntrusted(schema)],
  ] as const)("hold in %s", async (_which, compile) => {
    const validate = await compile();
    expect(validate(good)).toEqual([]);
    const problems = validate(bad);
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.some((problem) => problem.pointer.startsWith(pointer))).toBe(true);
  });
});

describe("the problem of an undeclared property", () => {
  const schema = object(
    { query: {}, deep: object({ limit: {} }, { additionalProperties: false }) },
    { additionalProperties: false },
  );

  it.each([
    ["our own code's validator", async () => compileTrusted(schema)],
    ["other people's", () => compileUntrusted(schema)],
  ] as const)("names the declared ones in %s", async (_which, compile) => {
    const validate = await compile();
    expect(validate({ qury: 1 })[0]?.message).toMatch(/; declared: `query`, `deep`$/);
    expect(validate({ deep: { limt: 1 } })[0]?.message).toMatch(/; declared: `limit`$/);
  });

  it("names at most 20, and none where the schema declares none", async () => {
    const validate = await compileUntrusted(object(many(22), { additionalProperties: false }));
    expect(validate({ other: 1 })[0]?.message).toMatch(/, `p19` and 2 more$/);
    const empty = await compileUntrusted(object({}, { additionalProperties: false }));
    expect(empty({ other: 1 })[0]?.message).toBe("is not allowed here");
  });
});

describe("a schema made to hold the process", () => {
  const doubling = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => {
      const next = { $ref: `#/$defs/a${at + 1}` };
      return [`a${at}`, { allOf: [next, next] }];
    }),
  );

  it("is stopped after a second: references that double at every step", async () => {
    const validate = await compileUntrusted({ $ref: "#/$defs/a0", $defs: { ...doubling, a30: { type: "number" } } });
    let milliseconds = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => (milliseconds += 1));
    onTestFinished(() => clock.mockRestore());
    let reads = 0;
    const check = () => {
      // The test runner reads the clock too.
      const before = milliseconds;
      try {
        validate("x");
      } finally {
        reads = milliseconds - before;
      }
    };
    expect(check).toThrow("takes longer than 1000 ms");
    // Every subschema reads the clock: the first one beyond the time ends the check. All of them are 2^30.
    expect(reads).toBeLessThan(2_000);
  });

  it("does not shorten the next check", async () => {
    const validate = await compileUntrusted({ items: { type: "string" } });
    expect(validate(Array.from({ length: 1000 }, () => "a"))).toEqual([]);
  });

  it("is refused where a huge pattern would meet a huge text", async () => {
    const validate = await compileUntrusted({ pattern: "^(a{0,500}b?)*$" });
    expect(validate("aab")).toEqual([]);
    expect(() => validate("a".repeat(256 * 1024))).toThrow("too long to be checked");
    const plain = await compileUntrusted({ pattern: "^[a-z]+$" });
    expect(plain("a".repeat(256 * 1024))).toEqual([]);
  });
});

describe("an untrusted schema", () => {
  it.each<[string, JsonObject, string]>([
    ["refers to another document", { $ref: "https://json-schema.org/draft/2020-12/schema" }, "another document"],
    ["refers to a file", { properties: { a: { $ref: "file:///etc/passwd" } } }, "another document"],
    ["names itself", { $id: "https://example.com/x" }, "$id"],
    ["uses dynamic references", { $dynamicRef: "#a" }, "$dynamicRef"],
    ["has an unknown dialect", { $schema: "https://example.com/mine" }, "dialect"],
    ["is too large", { description: "x".repeat(70_000) }, "64 KiB"],
    ["is too deep", nested(40), "deeper than 32"],
    ["has too many subschemas", object(many(501)), "500 subschemas"],
    ["has a pattern that RE2 has not", object({ a: { pattern: "(?=a)b" } }), "regexp"],
    ["is no schema", object({ a: { type: "nothing" } }), "Invalid Schema"],
  ])("that %s cannot be used", async (_what, schema, message) => {
    await expect(compileUntrusted(schema)).rejects.toThrow(message);
  });

  it("may name a property like a keyword", async () => {
    const validate = await compileUntrusted(object({ $id: { type: "string" }, $ref: { type: "string" } }));
    expect(validate({ $id: "a", $ref: "https://example.com" })).toEqual([]);
  });

  it.each<[string, JsonObject, (slow: string) => Json]>([
    ["text", object({ a: { type: "string", pattern: "^(a+)+$" } }), (slow) => ({ a: slow })],
    ["member", { patternProperties: { "^(a+)+$": {} }, additionalProperties: false }, (slow) => ({ [slow]: 1 })],
    ["name", { propertyNames: { pattern: "^(a+)+$" } }, (slow) => ({ [slow]: 1 })],
  ])(
    "with a pattern that backtracks without end for a %s is answered within its time",
    async (_what, schema, valueOf) => {
      const validate = await compileUntrusted(schema);
      expect(validate(valueOf(`${"a".repeat(50_000)}b`)).length).toBeGreaterThan(0);
    },
  );

  it("checks members that neither `properties` nor a pattern names", async () => {
    const validate = await compileUntrusted({
      properties: { "a.b": {}, toString: {} },
      patternProperties: { "^[\\-]x": {} },
      additionalProperties: { type: "number" },
    });
    expect(validate({ "a.b": "", toString: "", "-x1": "", other: 1 })).toEqual([]);
    expect(validate({ aXb: "" })).toMatchObject([{ pointer: "/aXb" }]);
    expect(validate({ valueOf: "" })).toMatchObject([{ pointer: "/valueOf" }]);
  });

  it("lists of several schemas only the problems of the intended one", async () => {
    const kind = (name: string, field: string) =>
      object({ kind: { const: name }, [field]: { type: "string" } }, { required: ["kind", field] });
    const validate = await compileUntrusted(
      object({ to: { oneOf: [kind("mail", "address"), kind("text", "phone"), kind("post", "street")] } }),
    );
    expect(validate({ to: { kind: "text" } })).toEqual([
      { pointer: "/to", message: "must have required property 'phone'" },
    ]);
    // None is meant: each says how it would be.
    expect(validate({ to: { kind: "fax", address: "", phone: "", street: "" } })).toEqual([
      { pointer: "/to", message: "must satisfy `oneOf`: exactly one of its 3 schemas" },
      ...["mail", "text", "post"].map((name) => ({
        pointer: "/to/kind",
        message: `must satisfy \`const\`: "${name}"`,
      })),
    ]);
  });

  it("names each missing property, as the validator of our own schemas does", async () => {
    const schema = object(
      { a: {}, b: {}, c: object({ d: {} }, { required: ["d"] }) },
      { required: ["a", "b", "c"], additionalProperties: false },
    );
    const validate = await compileUntrusted(schema);
    expect(validate({ b: 1 })).toEqual([
      { pointer: "", message: "must have required property 'a'" },
      { pointer: "", message: "must have required property 'c'" },
    ]);
    expect(validate({ b: 1 })[0]).toEqual(compileTrusted(schema)({ b: 1 })[0]);
    expect(validate({ a: 1, b: 1, c: {} })).toEqual([{ pointer: "/c", message: "must have required property 'd'" }]);
  });

  it("lists at most five problems", async () => {
    const validate = await compileUntrusted({ type: "array", items: { type: "string" } });
    expect(validate(Array.from({ length: 50 }, () => 1)).length).toBeLessThanOrEqual(5);
  });

  it("may be circular", async () => {
    const validate = await compileUntrusted({
      $ref: "#/$defs/node",
      $defs: { node: object({ value: { type: "number" }, next: { $ref: "#/$defs/node" } }) },
    });
    expect(validate({ value: 1, next: { value: 2 } })).toEqual([]);
    expect(validate({ value: 1, next: { value: "2" } })[0]?.pointer).toBe("/next/value");
  });
});

describe("the schemas of our own tools", () => {
  it.each(builtinTools().map((tool) => [tool.id, tool] as const))(
    "%s compiles in both validators",
    async (_id, tool) => {
      const schemas = [tool.inputSchema, tool.outputSchema].filter((schema) => schema !== null) as JsonObject[];
      const compiled = await Promise.all(
        schemas.flatMap((schema) => [Promise.resolve(compileTrusted(schema)), compileUntrusted(schema)]),
      );
      expect(compiled).toHaveLength(schemas.length * 2);
    },
  );
});

function nested(levels: number): JsonObject {
  let schema: JsonObject = { type: "string" };
  for (let level = 0; level < levels; level += 1) schema = object({ a: schema });
  return schema;
}

function many(count: number): JsonObject {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, { type: "string" }]));
}
