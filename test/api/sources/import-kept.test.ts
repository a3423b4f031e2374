import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { importMcp } from "@/lib/sources/mcp/import-mcp";
import { importOpenApi } from "@/lib/sources/openapi/import-openapi";
import { readOpenApi } from "@/lib/sources/openapi/read-document";
import { compileUntrusted } from "@/lib/calls/schemas/untrusted-validator";

const known = new Map<string, string>();

/** Imports a document with one operation. Returns its tool and the import's findings. */
function importOne(operation: object, more: object = {}) {
  const document = { openapi: "3.0.3", info: { title: "T", version: "1" }, servers: [{ url: "https://a.example" }] };
  const whole = { ...document, paths: { "/a": { post: operation } }, ...more };
  const { tools, findings } = importOpenApi(readOpenApi(whole as JsonObject), { source: "s", url: null, known });
  return { tool: tools[0], findings: findings.map(({ message }) => message).join("\n") };
}
const json = (schema: object) => ({ content: { "application/json": { schema } } });
const answer = (schema: object) => ({ responses: { 200: { description: "", ...json(schema) } } });

async function fits(schema: Json | undefined, value: Json): Promise<boolean> {
  return (await compileUntrusted(schema as JsonObject))(value).length === 0;
}

describe("a schema of an OpenAPI document", () => {
  const user = {
    type: "object",
    required: ["id", "name", "password"],
    properties: {
      id: { type: "string", readOnly: true },
      name: { type: "string" },
      password: { type: "string", writeOnly: true },
    },
  };

  it.each([
    ["itself", user, {}],
    ["behind a reference", { $ref: "#/components/schemas/User" }, { components: { schemas: { User: user } } }],
    [
      "with the required names apart",
      { allOf: [{ $ref: "#/components/schemas/User" }], required: ["id", "password", "name"] },
      { components: { schemas: { User: user } } },
    ],
  ])(
    "does not require read-only fields in arguments, nor write-only fields in results: %s",
    async (_what, schema, more) => {
      const list = { type: "array", items: schema };
      const { tool } = importOne({ requestBody: { required: true, ...json(list) }, ...answer(schema) }, more);
      expect(await fits(tool?.outputSchema, { id: "1", name: "a" })).toBe(true);
      expect(await fits(tool?.outputSchema, { id: "1" })).toBe(false);
      expect(await fits(tool?.inputSchema, { body: [{ name: "a", password: "b" }] })).toBe(true);
      expect(await fits(tool?.inputSchema, { body: [{ name: "a" }] })).toBe(false);
    },
  );

  it.each([
    { nullable: true, oneOf: [{ type: "string" }, { type: "integer" }] },
    { nullable: true, type: "object", oneOf: [{ required: ["a"] }, { required: ["b"] }] },
    { nullable: true, anyOf: [{ type: "string" }] },
    { nullable: true, type: "string", enum: ["a"] },
    { nullable: true, type: "object", allOf: [{ type: "object" }] },
  ])("accepts null next to alternatives: %j", async (schema) => {
    const { tool } = importOne(answer({ type: "object", properties: { a: schema } }));
    expect(await fits(tool?.outputSchema, { a: null })).toBe(true);
    expect(await fits(tool?.outputSchema, { a: true })).toBe(false);
  });

  it("whose alternatives are too large accepts, in its simpler form, every value that the whole schema accepts", async () => {
    const large = (name: string) => ({
      type: "object",
      required: [name],
      properties: { [name]: { type: "string", enum: Array.from({ length: 900 }, (_, at) => `${name}-${at}-value`) } },
    });
    const schemas = { A: large("a"), B: large("b") };
    const rules = {
      type: "array",
      items: { oneOf: [{ $ref: "#/components/schemas/A" }, { $ref: "#/components/schemas/B" }] },
    };
    const { tool, findings } = importOne(
      { requestBody: { required: true, ...json(rules) } },
      { components: { schemas } },
    );
    expect(await fits(tool?.inputSchema, { body: [{ a: "a-1-value" }, { b: "b-1-value" }] })).toBe(true);
    expect(findings).toContain("parts of its input schema were left out");
    expect(tool?.description).toContain("left out");
  });

  it("with more subschemas than the validator accepts is imported in a simpler form", async () => {
    // 501 short schemas: less than 16 KiB, and not deep.
    const names = Array.from({ length: 500 }, (_, at) => `p${at}`);
    const wide = (count: number) => ({
      type: "object",
      properties: Object.fromEntries(names.slice(0, count).map((name) => [name, {}])),
    });
    const imported = (schema: object) =>
      importOne({ requestBody: { required: true, ...json({ type: "array", items: schema }) } });
    const { tool, findings } = imported(wide(500));
    expect(JSON.stringify(wide(500)).length).toBeLessThan(8_192);
    expect(findings).toContain("more than 500 schemas");
    expect(tool?.description).toContain("left out");
    expect(await fits(tool?.inputSchema, { body: [{ p499: 1 }] })).toBe(true);
    expect(imported(wide(400)).findings).not.toContain("left out");
  });

  it("nested deeper than the validator accepts is imported in a simpler form", async () => {
    let deep: object = { type: "string" };
    for (let level = 0; level < 40; level += 1) deep = { type: "object", properties: { a: deep } };
    const { tool, findings } = importOne({ requestBody: { required: true, ...json({ type: "array", items: deep }) } });
    expect(findings).toContain("nested deeper than 32 levels");
    expect(await fits(tool?.inputSchema, { body: [{ a: { a: 1 } }] })).toBe(false);
    expect(await fits(tool?.inputSchema, { body: [{ a: { a: {} } }] })).toBe(true);
  });
});

describe("an operation", () => {
  it("is called although it requires headers that every client writes itself", () => {
    const header = (name: string) => ({ name, in: "header", required: true, schema: { type: "string" } });
    const { tool } = importOne({ parameters: ["Content-Length", "Accept-Encoding", "Accept"].map(header) });
    expect(tool?.inputSchema).toMatchObject({ properties: {} });
  });

  it("keeps the names of its arguments that are valid", () => {
    const query = (name: string) => ({ name, in: "query", schema: { type: "string" } });
    const { tool } = importOne({ parameters: ["_id", "id", "$top", "__proto__", "a.b-c_"].map(query) });
    expect(Object.keys(tool?.inputSchema["properties"] ?? {})).toEqual(["_id", "id", "top", "proto", "a.b-c_"]);
  });

  it("goes to the host of its document where the server's address is empty", () => {
    const document = {
      openapi: "3.1.0",
      info: { title: "T", version: "1" },
      servers: [{ url: "" }],
      paths: { "/a": { get: {} } },
    };
    const { tools } = importOpenApi(readOpenApi(document as unknown as JsonObject), {
      source: "s",
      url: "https://api.example/docs/openapi.json",
      known,
    });
    expect(tools[0]?.run).toMatchObject({ url: "https://api.example/a" });
  });

  it("of Swagger 2 says that tabs between items cannot be sent", () => {
    const parameter = { name: "ids", in: "query", type: "array", items: { type: "string" }, collectionFormat: "tsv" };
    const document = {
      swagger: "2.0",
      info: { title: "T", version: "1" },
      host: "a.example",
      paths: { "/a": { get: { parameters: [parameter] } } },
    };
    const { tools, findings } = importOpenApi(readOpenApi(document as unknown as JsonObject), {
      source: "s",
      url: null,
      known,
    });
    expect(tools[0]?.inputSchema["properties"]).toEqual({});
    expect(findings.map(({ message }) => message).join()).toContain("`tsv`");
  });
});

describe("a schema of an MCP server", () => {
  const read = (inputSchema: object) => {
    const tools = [{ name: "t", inputSchema }] as unknown as Parameters<typeof importMcp>[0]["tools"];
    const { tools: imported, findings } = importMcp({ title: null, tools }, "s", known);
    return { schema: imported[0]?.inputSchema, findings: findings.map(({ message }) => message).join("\n") };
  };

  it("of draft-07 keeps its tuples and dependencies", async () => {
    const { schema } = read({
      $schema: "http://json-schema.org/draft-07/schema#",
      type: "object",
      properties: { pair: { type: "array", items: [{ type: "string" }, { type: "number" }], additionalItems: false } },
      dependencies: { card: ["address"], vat: { required: ["country"] } },
    });
    expect(await fits(schema, { pair: ["a", 1] })).toBe(true);
    expect(await fits(schema, { pair: [1, "a"] })).toBe(false);
    expect(await fits(schema, { pair: ["a", 1, 2] })).toBe(false);
    expect(await fits(schema, { card: 1 })).toBe(false);
    expect(await fits(schema, { vat: 1 })).toBe(false);
    expect(await fits(schema, { vat: 1, country: "NL" })).toBe(true);
  });

  it("reaches agents as its author wrote it: definitions, anchors and dialect", async () => {
    const written = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      $defs: { address: { $anchor: "addressDef", type: "object", properties: { city: { type: "string" } } } },
      properties: { home: { $ref: "#/$defs/address" }, next: { $ref: "#" } },
      additionalProperties: false,
    };
    const { schema, findings } = read(written);
    expect(schema).toEqual(written);
    expect(findings).toBe("");
    expect(await fits(schema, { home: { city: "Delft" }, next: { home: {} } })).toBe(true);
    expect(await fits(schema, { next: { home: { city: 1 } } })).toBe(false);
  });

  it("refers by pointers where its author referred to an anchor: other endpoints know no anchors", async () => {
    const { schema } = read({
      type: "object",
      $defs: { "a/b": { $anchor: "here", type: "number" } },
      properties: { n: { $ref: "#here" } },
    });
    expect(schema).toMatchObject({ properties: { n: { $ref: "#/$defs/a~1b" } } });
    expect(await fits(schema, { n: "one" })).toBe(false);
  });

  it("of draft-07 states the dialect into which it is translated, of another none", () => {
    const newest = "https://json-schema.org/draft/2020-12/schema";
    expect(read({ $schema: "http://json-schema.org/draft-07/schema#", type: "object" }).schema).toMatchObject({
      $schema: newest,
    });
    const other = read({ $schema: "https://json-schema.org/draft/2019-09/schema", type: "object" });
    expect(other.schema).toEqual({ type: "object" });
    expect(other.findings).toContain("`$schema` is left out");
  });

  it("is bundled where a reference leads to a part that is not kept", async () => {
    const { schema } = read({
      type: "object",
      properties: { n: { $ref: "#/x-shared/n" } },
      "x-shared": { n: { type: "number" } },
    });
    expect(await fits(schema, { n: "one" })).toBe(false);
    expect(await fits(schema, { n: 1 })).toBe(true);
  });

  it("says which keywords are left out that JSON Schema does not know", () => {
    const { schema, findings } = read({ type: "object", properties: { a: { type: "string", enumNames: ["A"] } } });
    expect(schema).toEqual({ type: "object", properties: { a: { type: "string" } } });
    expect(findings).toContain("`enumNames` is left out");
  });

  it("names the omitted keywords that would change its meaning", () => {
    const { schema, findings } = read({
      type: "object",
      properties: { a: { type: "string", "x-mcp-header": "X-A" }, b: { $dynamicRef: "#node" } },
    });
    expect(schema).toMatchObject({ properties: { a: { type: "string" }, b: {} } });
    for (const keyword of ["x-mcp-header", "$dynamicRef"]) expect(findings).toContain(`\`${keyword}\` is left out`);
  });
});

describe("what looks like a secret", () => {
  const secret = "ghp_0123456789abcdefghijABCDEFGHIJ";

  it("is masked in the texts of a schema, which keeps its meaning", async () => {
    const schema = {
      type: "object",
      required: ["description"],
      properties: {
        // A property, not a keyword.
        description: { type: "string", pattern: "^ghp_", description: `such as ${secret}`, example: secret },
        plain: { type: "string", default: "a", examples: ["b"] },
        token: { type: "string", default: secret },
        kind: { enum: [secret, "other"] },
      },
    };
    const { tool, findings } = importOne({
      description: `Send ${secret}.`,
      requestBody: { required: true, ...json(schema) },
    });
    expect(tool?.description).toBe("Send [redacted].");
    expect(tool?.inputSchema).toMatchObject({
      properties: {
        description: { type: "string", pattern: "^ghp_", description: "such as [redacted]" },
        plain: { default: "a", examples: ["b"] },
        kind: { enum: [secret, "other"] },
      },
    });
    // A model would send a masked default.
    expect(JSON.stringify(tool?.inputSchema)).not.toContain('"default":"[redacted]"');
    expect(await fits(tool?.inputSchema, { description: secret, token: "x", kind: secret })).toBe(true);
    expect(await fits(tool?.inputSchema, { description: "x" })).toBe(false);
    expect(findings).toContain(
      "what looks like a secret is masked in `description`, `inputSchema.properties.description.description`",
    );
    expect(findings).toContain(
      "what looks like a secret stays in `inputSchema.properties.kind.enum`, because calls need it",
    );
  });

  it("is in no name, and stays in the address that calls need", () => {
    const paths = { [`/hooks/${secret}`]: { get: { operationId: secret } }, "/a": { get: {} } };
    const { tools, findings } = importOpenApi(
      { openapi: "3.1.0", info: { title: "T", version: "1" }, servers: [{ url: "https://a.example" }], paths },
      { source: "s", url: null, known },
    );
    expect(tools.map(({ id }) => id)).toEqual(["s:redacted", "s:get_a"]);
    expect(tools[0]?.run).toMatchObject({ url: `https://a.example/hooks/${secret}` });
    expect(findings.map(({ message }) => message)).toEqual([
      "what looks like a secret is masked in `operationId`",
      "what looks like a secret stays in `run`, because calls need it: change it at the source",
    ]);
    expect(JSON.stringify(findings)).not.toContain(secret);
  });

  it("stays in names and patterns that calls need, and notes name them", () => {
    const properties = { [secret]: { type: "string" }, a: { type: "string", pattern: `^${secret}$`, format: secret } };
    const { tool, findings } = importOne({
      parameters: [{ name: `x-${secret}`, in: "query", schema: { type: "string" } }],
      requestBody: { required: true, ...json({ type: "object", required: [secret], properties }) },
    });
    expect(tool?.inputSchema).toMatchObject({
      required: [secret],
      properties: { [secret]: {}, a: { pattern: `^${secret}$`, format: "[redacted]" } },
    });
    expect(findings).toContain(
      "stays in `run`, `inputSchema.properties.x-[redacted]`, `inputSchema.properties.[redacted]`, `inputSchema.properties.a.pattern`",
    );
  });

  it("is in no name or description that is made from a path", () => {
    const { tools } = importOpenApi(
      {
        openapi: "3.1.0",
        info: { title: "T", version: "1" },
        servers: [{ url: "https://a.example" }],
        paths: { [`/hooks/${secret}`]: { get: {} } },
      },
      { source: "s", url: null, known },
    );
    expect(tools[0]).toMatchObject({ id: "s:get_hooks_redacted", description: "GET /hooks/[redacted]" });
    const listed = [{ name: secret, inputSchema: { type: "object" as const } }];
    const [tool] = importMcp({ title: null, tools: listed }, "m", known).tools;
    expect(tool).toMatchObject({ id: "m:redacted", description: "[redacted]", run: { kind: "mcp", tool: secret } });
  });

  it("is in no suggestion of how to authenticate, which would be stored with the source", () => {
    const flows = { clientCredentials: { tokenUrl: `https://a.example/token?key=${secret}`, scopes: {} } };
    const securitySchemes = {
      oauth: { type: "oauth2", flows },
      key: { type: "apiKey", in: "header", name: secret },
      plain: { type: "http", scheme: "basic" },
    };
    const { suggestedAuth } = importOpenApi(
      {
        openapi: "3.1.0",
        info: { title: "T", version: "1" },
        servers: [{ url: "https://a.example" }],
        security: [{ oauth: [] }, { key: [] }, { plain: [] }],
        components: { securitySchemes },
        paths: { "/a": { get: {} } },
      },
      { source: "s", url: null, known },
    );
    expect(suggestedAuth.map(({ scheme, auth }) => [scheme, auth.mode])).toEqual([
      ["oauth", "bearer"],
      ["plain", "basic"],
    ]);
  });

  it("is masked once in a definition that operations share", () => {
    const paths = Object.fromEntries(
      ["/a", "/b"].map((path) => [path, { post: { requestBody: json({ $ref: "#/components/schemas/S" }) } }]),
    );
    const schemas = { S: { type: "object", properties: { a: { type: "string", description: secret } } } };
    const servers = [{ url: "https://a.example" }];
    const document = { openapi: "3.1.0", info: {}, servers, paths, components: { schemas } };
    const { tools } = importOpenApi(document as unknown as JsonObject, { source: "s", url: null, known });
    expect(JSON.stringify(tools)).not.toContain(secret);
    expect(tools.map(({ inputSchema }) => JSON.stringify(inputSchema).includes("[redacted]"))).toEqual([true, true]);
  });
});
