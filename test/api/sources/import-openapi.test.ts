import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "@/lib/access/model/configuration";
import type { HttpRun } from "@/lib/resources/parts/run";
import { toolInput, type ToolInput } from "@/lib/resources/tool";
import { importOpenApi, type Imported } from "@/lib/sources/openapi/import-openapi";
import { InputProperties } from "@/lib/sources/openapi/input-properties";
import { nameOperations } from "@/lib/sources/openapi/operation-names";
import { readOpenApi } from "@/lib/sources/openapi/read-document";
import { SCHEMA_BUDGET, sizeOf } from "@/lib/sources/openapi/fit-schema";
import { bundleSchema } from "@/lib/sources/mcp/keep-schema";
import { problemOfSchema } from "@/lib/calls/schemas/schema-bounds";
import { compileUntrusted } from "@/lib/calls/schemas/untrusted-validator";
import { cpuMs } from "@/test/support/cpu-time";

const examples = join(
  dirname(createRequire(import.meta.url).resolve("@readme/oas-examples/3.1/json/petstore.json")),
  "../..",
);
const real = ["2.0", "3.0", "3.1"].flatMap((version) =>
  readdirSync(join(examples, version), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(json|yaml)$/.test(name))
    .map((name) => join(version, name)),
);

function imported(document: object, known = new Map<string, string>()): Imported {
  const whole = {
    openapi: "3.1.0",
    info: { title: "T", version: "1" },
    servers: [{ url: "https://api.example/v1" }],
    ...document,
  };
  return importOpenApi(readOpenApi(whole as JsonObject), { source: "s", url: null, known });
}

/** The only tool of a document with one operation. */
function one(operation: object, more: object = {}, path = "/a", method = "post") {
  const { tools, findings } = imported({ paths: { [path]: { [method]: operation } }, ...more });
  // Every tool of a document is an HTTP request.
  const tool = tools[0] as ToolInput & { run: HttpRun | null };
  return { tool, findings: findings.map((finding) => finding.message) };
}

const body = (schema: object, required = true) => ({
  requestBody: { required, content: { "application/json": { schema } } },
});

describe.each(real)("the real document %s", (name) => {
  it("is imported without a crash, and every schema compiles", async () => {
    const document = readOpenApi(readFileSync(join(examples, name), "utf8"));
    const { tools, findings } = importOpenApi(document, {
      source: "x",
      url: "https://docs.example/openapi.json",
      known: new Map(),
    });
    expect(new Set(tools.map((tool) => tool.id)).size).toBe(tools.length);
    // None of these documents holds a secret.
    expect(findings.filter(({ message }) => message.includes("looks like a secret"))).toEqual([]);
    for (const tool of tools) {
      expect(toolInput.parse(tool)).toEqual(tool);
      expect(Buffer.byteLength(JSON.stringify(tool.inputSchema))).toBeLessThan(17 * 1024);
      await compileUntrusted(tool.inputSchema as JsonObject);
      if (tool.outputSchema !== null) await compileUntrusted(tool.outputSchema as JsonObject);
    }
  });
});

it("names the operations whose texts hold characters that no reader sees", () => {
  const { findings } = imported({
    paths: { "/a": { get: { description: "Fine.\u{E0049}\u{E0047}" } }, "/b": { get: { description: "Fine." } } },
  });
  expect(findings).toEqual([
    { path: "GET /a", message: expect.stringMatching(/2 characters in a row \(U\+E0049 U\+E0047\)/) as unknown },
  ]);
});

describe("a tool's version", () => {
  const versionIn = (info: object) => imported({ info, paths: { "/a": { get: {} } } }).tools[0]?.version;

  it("is the document's own, at most 50 characters; null where it states none", () => {
    expect(versionIn({ title: "T", version: "1.14.0-beta" })).toBe("1.14.0-beta");
    expect(versionIn({ title: "T", version: 2 })).toBe("2");
    expect(versionIn({ title: "T", version: "v".repeat(60) })).toBe("v".repeat(50));
    expect(versionIn({ title: "T" })).toBeNull();
  });
});

describe("operation names", () => {
  const endpoint = (method: string, path: string, operationId: string | null = null) => ({ method, path, operationId });
  const names = (endpoints: ReturnType<typeof endpoint>[], known = new Map<string, string>()) =>
    Object.fromEntries(nameOperations("s", endpoints, known));

  it("come from the operation id, or else from method and path", () => {
    expect(
      names([endpoint("GET", "/pets/{id}", "get pet!"), endpoint("DELETE", "/pets/{id}"), endpoint("GET", "/9", "9")]),
    ).toEqual({
      "GET /pets/{id}": "get_pet",
      "DELETE /pets/{id}": "delete_pets_id",
      "GET /9": "_9",
    });
  });

  it("have at most 48 characters of the allowed kind, whatever the document says", () => {
    const wild = ["", "__", "ünïcødé", "a".repeat(200), "a.b/c", "-x", "constructor", "__proto__"];
    for (const name of Object.values(names(wild.map((id, index) => endpoint("GET", `/${index}`, id)))))
      expect(name).toMatch(/^[A-Za-z_][A-Za-z0-9_-]{0,47}$/);
  });

  it("that collide get a hash of their endpoint, all of them, in any order", () => {
    const a = endpoint("GET", "/a", "list");
    const b = endpoint("GET", "/b", "list");
    expect(names([a, b])).toEqual(names([b, a]));
    expect(names([a, b])["GET /a"]).toMatch(/^list_[0-9a-f]{6}$/);
    expect(names([a, b])["GET /a"]).not.toBe(names([a, b])["GET /b"]);
  });

  it("stay different when an operation states the name that another one gets", () => {
    const [a, b] = [endpoint("GET", "/a", "list"), endpoint("GET", "/b", "list")];
    const ofA = names([a, b])["GET /a"]!;
    const all = names([endpoint("GET", "/c", ofA), a, b]);
    expect(all["GET /c"]).toBe(ofA);
    expect(new Set(Object.values(all)).size).toBe(3);
  });

  it("never move: an inserted operation with the same id leaves the known one its name", () => {
    const known = new Map([["GET /a", "list"]]);
    const both = names([endpoint("GET", "/new", "list"), endpoint("GET", "/a", "list")], known);
    expect(both["GET /a"]).toBe("list");
    expect(both["GET /new"]).toMatch(/^list_[0-9a-f]{6}$/);
    expect(names([endpoint("GET", "/a", "renamed")], known)["GET /a"]).toBe("list");
  });
});

describe("the input of a tool", () => {
  it("has different names of at most 64 characters, in linear time, however many meet", () => {
    const input = new InputProperties();
    const add = (name: string) => input.add(name, "body", true, false);
    const long = Array.from({ length: 1_200 }, (_, number) => add(`${"a".repeat(70)}é${number}`));
    expect(long.slice(1, 3)).toEqual([`body_${"a".repeat(59)}`, `body_${"a".repeat(55)}_2`]);
    expect(Math.max(...long.map(({ length }) => length))).toBe(64);
    expect(new Set(long).size).toBe(1_200);
    expect(cpuMs(() => Array.from({ length: 10_000 }, () => add("é")))).toBeLessThan(1_000);
    expect(cpuMs(() => add(`a${"_".repeat(100_000)}b`))).toBeLessThan(1_000);
  });

  it("merges path, query, header and body; names that meet get their place in front, the mapping is kept", () => {
    const id = { schema: { type: "string" } };
    const { tool } = one(
      {
        parameters: [
          { name: "id", in: "query", ...id },
          { name: "X-Trace", in: "header", ...id },
          { name: "id", in: "path", required: true, ...id },
          { name: "filter[name]", in: "query", ...id },
        ],
        ...body({
          type: "object",
          required: ["id"],
          properties: { id: { type: "integer" }, note: { type: "string" } },
        }),
      },
      {},
      "/a/{id}",
    );
    expect(tool.inputSchema).toEqual({
      type: "object",
      properties: {
        id: { type: "string" },
        query_id: { type: "string" },
        filter_name: { type: "string" },
        "X-Trace": { type: "string" },
        body_id: { type: "integer" },
        note: { type: "string" },
      },
      required: ["id", "body_id"],
      additionalProperties: false,
    });
    expect(tool.run).toMatchObject({
      url: "https://api.example/v1/a/{id}",
      parameters: [
        { property: "id", name: "id", in: "path" },
        { property: "query_id", name: "id", in: "query" },
        { property: "filter_name", name: "filter[name]", in: "query" },
        { property: "X-Trace", name: "X-Trace", in: "header" },
      ],
      body: {
        whole: null,
        properties: [
          { property: "body_id", name: "id" },
          { property: "note", name: "note" },
        ],
      },
    });
  });

  it("takes parameters of the path item, overridden by the operation's, through references", () => {
    const { tools } = imported({
      components: { parameters: { Page: { name: "page", in: "query", schema: { type: "integer" } } } },
      paths: {
        "/a": {
          parameters: [
            { $ref: "#/components/parameters/Page" },
            { name: "q", in: "query", schema: { type: "string" } },
          ],
          get: {
            operationId: "a",
            parameters: [{ name: "q", in: "query", required: true, schema: { type: "boolean" } }],
          },
        },
      },
    });
    expect(tools[0]!.inputSchema).toMatchObject({
      properties: { page: { type: "integer" }, q: { type: "boolean" } },
      required: ["q"],
    });
  });

  it("keeps a body that is more than its members as one argument", () => {
    for (const schema of [
      { type: "array", items: {} },
      { oneOf: [{ type: "object" }] },
      { type: "object", additionalProperties: true, properties: {} },
    ]) {
      const { tool } = one(body(schema));
      expect(tool.inputSchema).toMatchObject({ required: ["body"] });
      expect(tool.run?.body).toMatchObject({ whole: "body" });
    }
  });

  it("leaves what only the server writes out of the arguments", () => {
    const { tool } = one(body({ type: "object", properties: { id: { type: "string", readOnly: true }, a: {} } }));
    expect(Object.keys(tool.inputSchema["properties"] as object)).toEqual(["a"]);
  });

  it("bundles references under $defs, circular ones too, and inlines nothing", async () => {
    const { tool } = one(body({ $ref: "#/components/schemas/Node" }), {
      components: {
        schemas: {
          Node: { type: "object", properties: { next: { $ref: "#/components/schemas/Link" } } },
          Link: { anyOf: [{ $ref: "#/components/schemas/Node" }, { $ref: "#/components/schemas/Deep~1Name" }] },
          "Deep/Name": { type: "integer" },
          Unused: { type: "string" },
        },
      },
    });
    const definitions = tool.inputSchema["$defs"] as JsonObject;
    expect(tool.inputSchema["properties"]).toEqual({ next: { $ref: "#/$defs/Link" } });
    expect(Object.keys(definitions)).toHaveLength(3);
    expect(definitions["Link"]).toMatchObject({
      anyOf: [{ $ref: "#/$defs/Node" }, { $ref: expect.stringMatching(/^#\/\$defs\/Deep_Name_/) }],
    });
    const validate = await compileUntrusted(tool.inputSchema as JsonObject);
    expect(validate({ next: 5 })).toEqual([]);
  });

  it("leaves references that lead out of the document, and dangerous or malformed keywords, with a note", async () => {
    const { tool, findings } = one(
      body({
        type: "object",
        properties: {
          a: { $ref: "https://evil.example/schema.json" },
          b: { $id: "https://evil.example/", $dynamicRef: "#x", $async: true, "x-mcp-header": "h", type: "string" },
          c: { type: "object", required: true, properties: { constructor: { type: "string" } } },
          d: { type: "string", pattern: "(?=x)x", minLength: "2" },
        },
      }),
    );
    expect(tool.inputSchema["properties"]).toEqual({
      a: {},
      b: { type: "string" },
      c: { type: "object", properties: { constructor: { type: "string" } } },
      d: { type: "string" },
    });
    expect(findings.join("\n")).toMatch(/evil\.example[^]*`required`[^]*linear time[^]*`minLength`/);
    await compileUntrusted(tool.inputSchema as JsonObject);
  });

  it("keeps the types of very many small properties, which nothing put in their place would be smaller than", async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 600 }, (_, n) => [
        `filter_by_field_${n}`,
        { type: "integer", description: "d".repeat(100) },
      ]),
    );
    const { tool, findings } = one(body({ type: "object", properties }));
    expect(tool.inputSchema["properties"]).toMatchObject({ filter_by_field_300: { type: "integer" } });
    expect(JSON.stringify(tool.inputSchema)).not.toContain("Left out:");
    // More than 500 schemas are more than the validator takes: the rest accepts anything, and the tool can be called.
    expect(findings.join()).toContain("more than 500 schemas");
    const validate = await compileUntrusted(tool.inputSchema);
    expect(validate({ filter_by_field_1: 1, filter_by_field_599: "x" })).toEqual([]);
    expect(validate({ filter_by_field_1: "x" })).toHaveLength(1);
  });

  it("keeps `dependentRequired`: members that one member requires", () => {
    const members = { card: { type: "string" }, address: { type: "string" } };
    const stated = { type: "object", properties: members, dependentRequired: { card: ["address"] } };
    const { tool, findings } = one(body(stated));
    expect(tool.inputSchema).toMatchObject({ properties: { body: { dependentRequired: { card: ["address"] } } } });
    expect(findings).toEqual([]);
    const wrong = one(body({ ...stated, dependentRequired: { card: "address" } }));
    expect(JSON.stringify(wrong.tool.inputSchema)).not.toContain("dependentRequired");
    expect(wrong.findings.join()).toContain("`dependentRequired` has a form that JSON Schema does not know");
  });

  it("stays under 16 KiB and says so where something was left out", async () => {
    const big = (letter: string) => ({
      type: "object",
      properties: Object.fromEntries(
        Array.from({ length: 100 }, (_, index) => [
          `${letter}${index}`,
          { type: "string", description: letter.repeat(100) },
        ]),
      ),
    });
    const { tool, findings } = one(
      body({ type: "object", properties: { a: { $ref: "#/components/schemas/A" }, b: big("b") } }),
      {
        components: { schemas: { A: big("a") } },
      },
    );
    expect(Buffer.byteLength(JSON.stringify(tool.inputSchema))).toBeLessThanOrEqual(17 * 1024);
    expect(tool.description).toContain("left out because it is too large");
    expect(findings.join()).toContain("16 KiB");
    await compileUntrusted(tool.inputSchema as JsonObject);
  });

  const numbered = (count: number, schema: (n: number) => object) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, schema(n)]));
  const many = numbered(20_000, () => ({ type: "string" }));
  it.each<[string, object, object]>([
    ["outside its properties", { type: "object", properties: { a: {} }, allOf: [{ enum: Object.keys(many) }] }, {}],
    ["without properties", { type: "object", allOf: [{ enum: Object.keys(many) }] }, {}],
    [
      "in the names of its properties, of which the required ones stay",
      { type: "object", properties: { ...many, a: {} }, required: ["a"], additionalProperties: false },
      {},
    ],
    [
      "in references",
      { type: "object", properties: numbered(5_000, (n) => ({ $ref: `#/$defs/p${n}` })) },
      numbered(5_000, () => ({ type: "object", description: "d".repeat(50) })),
    ],
  ])("cuts a schema that is large %s, and accepts what it accepted", async (_where, stated, definitions) => {
    const whole = { ...stated, $defs: definitions } as JsonObject;
    const { schema, pruned } = bundleSchema(whole, () => {});
    expect(pruned).toBe(true);
    const { $defs: _, ...root } = schema;
    expect(sizeOf(root)).toBeLessThanOrEqual(SCHEMA_BUDGET);
    expect(problemOfSchema(schema)).toBeNull();
    expect(schema["type"]).toBe("object");
    expect(schema["required"]).toEqual((stated as JsonObject)["required"]);
    expect((await compileUntrusted(schema))({ a: 1, p19999: "x" })).toEqual([]);
  });

  it.each<[string, object, RegExp]>([
    ["a cookie", { name: "c", in: "cookie" }, /cookie/],
    ["an authorization of its own", { name: "Proxy-Authorization", in: "header" }, /cannot set/],
    ["a style of another place", { name: "f", in: "query", style: "matrix" }, /style/],
    ["a file", { name: "f", in: "query", content: { "image/png": {} } }, /image/],
  ])("leaves out what cannot be sent: %s; a tool that requires it is not imported", (_name, parameter, message) => {
    const optional = one({ parameters: [parameter] });
    expect(optional.tool.run?.parameters).toEqual([]);
    expect(optional.findings.join()).toMatch(message);
    const required = one({ parameters: [{ ...parameter, required: true }] });
    expect(required.tool).toBeUndefined();
  });
});

describe("the rest of a tool", () => {
  it("has annotations that follow from its method", () => {
    const hints = (method: string) => one({ operationId: "x" }, {}, "/a", method).tool;
    expect(hints("get")).toMatchObject({ hasSideEffects: false, annotations: { readOnlyHint: true } });
    expect(hints("post")).toMatchObject({
      hasSideEffects: true,
      annotations: { readOnlyHint: false, idempotentHint: false },
    });
    expect(hints("delete")).toMatchObject({ annotations: { destructiveHint: true } });
  });

  it("has a description whatever the document says, and tells when its source calls it deprecated", () => {
    expect(one({}).tool.description).toBe("POST /a");
    expect(one({ summary: "S", description: "D", deprecated: true }).tool.description).toBe(
      "Deprecated by its source.\n\nS\n\nD",
    );
    expect(one({ description: "x".repeat(5000) }).tool.description).toHaveLength(2000);
  });

  it("has an output schema only where every success has the same JSON", () => {
    const json = { content: { "application/json": { schema: { type: "object" } } } };
    expect(one({ responses: { 200: json, 404: json } }).tool.outputSchema).toEqual({ type: "object" });
    expect(one({ responses: { 200: json, 204: {} } }).tool.outputSchema).toBeNull();
    expect(one({ responses: { default: json } }).tool.outputSchema).toBeNull();
  });

  it("has its server: of operation, path or document, variables filled; without an absolute one it is left out", () => {
    const url = (servers: object[]) => one({ servers }).tool?.run?.url;
    expect(url([{ url: "https://{t}.example:8443/x/", variables: { t: { default: "eu" } } }])).toBe(
      "https://eu.example:8443/x/a",
    );
    expect(url([{ url: "/relative" }])).toBeUndefined();
    expect(url([{ url: "https://{t}.example" }])).toBeUndefined();
    expect(url([{ url: "file:///etc" }])).toBeUndefined();
    expect(url([{ url: "https://u:p@a.example" }])).toBeUndefined();
  });

  it("is made or left out, never an error, however broken the document", () => {
    for (const paths of [
      null,
      [],
      "x",
      { "/a": null },
      { "/a": { get: [] } },
      { a: { get: {} } },
      { "/a": { $ref: "#/paths/~1a" } },
    ])
      expect(() => imported({ paths })).not.toThrow();
    for (const operation of [
      { parameters: "x" },
      { parameters: [null, {}, { $ref: "#/nowhere" }] },
      { requestBody: { $ref: "#" } },
      { tags: [1, null, " a "] },
      { responses: [] },
    ])
      expect(one(operation).tool).toBeDefined();
  });

  it("of a thousand operations over a tangle of references is made in seconds", { timeout: 60_000 }, () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 2000 }, (_, index) => [
        `S${index}`,
        {
          type: "object",
          description: "d".repeat(500),
          properties: Object.fromEntries(
            [1, 7, 31].map((step) => [`p${step}`, { $ref: `#/components/schemas/S${(index * step + 1) % 2000}` }]),
          ),
        },
      ]),
    );
    const paths = Object.fromEntries(
      Array.from({ length: 1000 }, (_, index) => [
        `/p${index}`,
        { post: body({ $ref: `#/components/schemas/S${index}` }) },
      ]),
    );
    const taken = cpuMs(() => expect(imported({ paths, components: { schemas } }).tools).toHaveLength(1000));
    expect(taken).toBeLessThan(10_000);
  });
});
