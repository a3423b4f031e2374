import { describe, expect, it } from "vitest";
import type { JsonObject } from "@/lib/access/model/configuration";
import { toHttpRequest } from "@/lib/calls/runners/http-request";
import type { HttpRun } from "@/lib/resources/parts/run";
import { importOpenApi, type ImportOptions } from "@/lib/sources/openapi/import-openapi";
import { readOpenApi } from "@/lib/sources/openapi/read-document";
import { serverInUse } from "@/lib/sources/openapi/servers";
import { compileUntrusted } from "@/lib/calls/schemas/untrusted-validator";

function imported(document: object, options: Partial<ImportOptions> = {}) {
  const { tools, findings, suggestedAuth } = importOpenApi(readOpenApi(document as JsonObject), {
    source: "s",
    url: "https://docs.example/api/openapi.json",
    known: new Map(),
    ...options,
  });
  return { tools, suggestedAuth, tool: tools[0]!, notes: findings.map(({ message }) => message).join("\n") };
}

const V3 = { openapi: "3.1.0", info: { title: "T", version: "1" } };

it("the schemas at two places of a document keep two names, also where the places differ little", () => {
  const parameter = (type: string) => ({ name: "a", in: "query", schema: { type } });
  const at = (path: string) => ({ $ref: `#/paths/~1${path}/get/parameters/0/schema` });
  const body = { type: "object", properties: { one: at("p2275"), two: at("p4540") } };
  const { tools } = importOpenApi(
    readOpenApi({
      ...V3,
      servers: [{ url: "https://api.example" }],
      paths: {
        "/p2275": { get: { operationId: "x", parameters: [parameter("string")] } },
        "/p4540": { get: { operationId: "y", parameters: [parameter("integer")] } },
        "/z": { post: { operationId: "z", requestBody: { content: { "application/json": { schema: body } } } } },
      },
    } as unknown as JsonObject),
    { source: "s", url: "https://docs.example/api/openapi.json", known: new Map() },
  );
  const schema = tools.find(({ id }) => id === "s:z")?.inputSchema ?? {};
  expect(Object.values(schema["$defs"] as JsonObject)).toEqual([{ type: "string" }, { type: "integer" }]);
});

describe("a Swagger 2 document", () => {
  const swagger = (paths: object, more: object = {}) =>
    imported({ swagger: "2.0", host: "api.example", basePath: "/v1", ...more, paths });

  it("becomes tools, and array arguments are written as collectionFormat says", () => {
    const list = (name: string, collectionFormat?: string) => ({
      name,
      in: "query",
      type: "array",
      items: { type: "string" },
      collectionFormat,
    });
    const parameters = [
      { name: "id", in: "path", required: true, type: "integer" },
      list("plain"),
      list("multi", "multi"),
      list("spaces", "ssv"),
      list("bars", "pipes"),
    ];
    const { tool } = swagger({ "/a/{id}": { get: { operationId: "a", parameters } } });
    expect(tool.run).toMatchObject({
      url: "https://api.example/v1/a/{id}",
      parameters: [
        { property: "id", name: "id", in: "path" },
        { name: "plain", in: "query", explode: false },
        { name: "multi", in: "query" },
        { name: "spaces", in: "query", style: "spaceDelimited" },
        { name: "bars", in: "query", style: "pipeDelimited" },
      ],
    });
    expect(tool.inputSchema).toMatchObject({ properties: { id: { type: "integer" } }, required: ["id"] });
  });

  it("writes lists of forms with commas by default, and notes separators that no call can send", () => {
    const list = (place: string, collectionFormat?: string) => ({
      name: "l",
      in: place,
      required: place === "path",
      type: "array",
      items: { type: "string" },
      collectionFormat,
    });
    const consumes = ["application/x-www-form-urlencoded"];
    const form = (format?: string) => {
      const { run } = swagger({ "/a": { post: { consumes, parameters: [list("formData", format)] } } }).tool;
      return Buffer.from(toHttpRequest(run as HttpRun, { l: ["1", "2"] }).body ?? "").toString();
    };
    expect([form(), form("csv"), form("multi"), form("pipes")]).toEqual(["l=1,2", "l=1,2", "l=1&l=2", "l=1%7C2"]);
    const fields = (type: string | null, format?: string, required = false) =>
      swagger({
        "/a": {
          post: {
            ...(type !== null && { consumes: [type] }),
            parameters: [
              { ...list("formData", format), required },
              { name: "n", in: "formData", type: "string" },
            ],
          },
        },
      });
    for (const [type, format] of [
      [consumes[0]!, "tsv"],
      [null, undefined],
      ...["csv", "ssv", "pipes", "tsv"].map((one) => ["multipart/form-data", one] as const),
    ] as const) {
      const { tool, notes } = fields(type, format);
      expect(tool.inputSchema["properties"]).toEqual({ n: { type: "string" } });
      expect(notes).toContain(
        `the form field \`l\` separates its items in a way that calls cannot send (\`${format ?? "csv"}\`)`,
      );
      expect(fields(type, format, true).tools).toEqual([]);
    }
    const multi = fields("multipart/form-data", "multi");
    expect([Object.keys(multi.tool.inputSchema["properties"] as object), multi.notes]).toEqual([["l", "n"], ""]);
    for (const format of ["pipes", "ssv", "tsv"]) {
      const header = swagger({ "/a": { get: { parameters: [list("header", format)] } } });
      expect(header.tool.inputSchema["properties"]).toEqual({});
      const path = swagger({ "/a/{l}": { get: { parameters: [list("path", format)] } } });
      expect(path.tools).toEqual([]);
      for (const { notes } of [header, path]) expect(notes).toContain(`that calls cannot send (\`${format}\`)`);
    }
    expect(swagger({ "/a/{l}": { get: { parameters: [list("path", "csv")] } } }).notes).toBe("");
  });

  it("keeps a body whose definition is at its path or behind a reference", () => {
    const Pet = { type: "object", required: ["name"], properties: { name: { type: "string" } } };
    const body = { name: "pet", in: "body", required: true, schema: { $ref: "#/definitions/Pet" } };
    const more = {
      definitions: { Pet },
      parameters: { Body: body, Note: { name: "note", in: "formData", type: "string" } },
    };
    const shared = swagger({ "/a": { parameters: [body], put: {} } }, more).tool;
    const referred = swagger({ "/a": { put: { parameters: [{ $ref: "#/parameters/Body" }] } } }, more).tool;
    for (const { inputSchema, run } of [shared, referred]) {
      expect(inputSchema).toMatchObject({ properties: { name: { type: "string" } }, required: ["name"] });
      expect(run).toMatchObject({ body: { contentType: "application/json", properties: [{ name: "name" }] } });
    }
    const form = swagger({ "/a": { post: { parameters: [{ $ref: "#/parameters/Note" }] } } }, more).tool;
    expect(form.run).toMatchObject({ body: { properties: [{ property: "note", name: "note" }] } });
  });

  it("takes files as base64", () => {
    const parameters = [{ name: "file", in: "formData", type: "file", required: true }];
    const { tool } = swagger({ "/a": { post: { consumes: ["multipart/form-data"], parameters } } });
    expect(tool.inputSchema).toMatchObject({ properties: { file: { type: "string", contentEncoding: "base64" } } });
    expect(tool.run).toMatchObject({
      body: { contentType: "multipart/form-data", properties: [{ name: "file", file: true }] },
    });
  });
});

describe("the server", () => {
  const document = {
    ...V3,
    servers: [{ url: "/v1" }, { url: "https://{where}.example", variables: { where: { default: "eu" } } }],
    paths: { "/a": { get: {} } },
  };
  const url = (options: Partial<ImportOptions> = {}) => {
    const { run } = imported(document, options).tool;
    return run?.kind === "http" ? run.url : null;
  };

  it("is the first server, relative to the document's address, and the others are listed", () => {
    expect(url()).toBe("https://docs.example/v1/a");
    expect(imported(document).notes).toContain("https://eu.example");
  });

  it("has a query that calls leave out, with a note that does not name it", () => {
    const { tool, notes } = imported({ ...document, servers: [{ url: "https://api.example/v1?key=s3cret" }] });
    expect(tool.run).toMatchObject({ url: "https://api.example/v1/a" });
    expect(notes).toBe("calls leave out the query of these servers: https://api.example/v1");
  });

  it("gets no operation whose path has a placeholder in its query, because no call could fill it", () => {
    const parameters = [{ name: "q", in: "query", schema: { type: "string" } }];
    const paths = { "/b?q={q}": { get: { parameters } }, "/c?kind=all": { get: { parameters } } };
    const { tools, notes } = imported({ ...document, paths });
    expect(tools.map(({ path }) => path)).toEqual(["/c?kind=all"]);
    expect(notes).toContain("left out: its path has a placeholder in the query");
  });

  it("is the chosen server while the document names it", () => {
    expect(url({ server: "https://eu.example/" })).toBe("https://eu.example/a");
    const inUse = serverInUse(imported(document, { server: "https://eu.example" }).tools);
    expect(url({ inUse })).toBe("https://eu.example/a");
    expect(url({ inUse: "https://gone.test" })).toBe("https://docs.example/v1/a");
  });

  it("stays although the document has many others", () => {
    const servers = Array.from({ length: 12 }, (_, number) => ({ url: `https://r${number}.example` }));
    const { tool } = imported({ ...document, servers }, { inUse: "https://r11.example" });
    expect(tool.run).toMatchObject({ url: "https://r11.example/a" });
  });

  it.each([
    ["https://{region}.api.example/", "https://eu.api.example", true],
    ["https://{region}.api.example/", "https://mars.api.example", false],
    ["https://{store}.shop.example/v1", "https://our-store.shop.example/v1", true],
    ["https://{store}.shop.example/v1", "https://other.example/a.shop.example/v1", false],
    ["https://{store}.shop.example/v1", "https://our-store.shop.example/v2", false],
    ["https://{region}.example:{port}/{base}", "https://us.example/v2", true],
    ["https://{region}.example:{port}/{base}", "https://us.example:8443/v2", true],
    ["https://{region}.example:{port}/{base}", "https://us.example:9000/v2", false],
    ["/{base}", "https://docs.example/v2", true],
    ["/{base}", "https://gone.example/v2", false],
  ])("of the template %s can be %s: %s", (template, inUse, isNamed) => {
    const variables = {
      region: { default: "us", enum: ["us", "eu"] },
      store: { default: "demo" },
      port: { default: 8443, enum: [8443, "443"] },
      base: { default: "v1", enum: ["v1", "v2"] },
    };
    const { tool } = imported({ ...document, servers: [{ url: "/first" }, { url: template, variables }] }, { inUse });
    expect(tool.run).toMatchObject({ url: isNamed ? `${inUse}/a` : "https://docs.example/first/a" });
  });
});

describe("what a document asks for", () => {
  const flows = { clientCredentials: { tokenUrl: "https://issuer.example/token", scopes: {} } };
  const components = {
    securitySchemes: {
      oauth: { type: "oauth2", flows },
      key: { type: "apiKey", in: "header", name: "X-Key" },
      session: { type: "apiKey", in: "cookie", name: "sid" },
    },
  };
  const asking = (security: object[]) =>
    imported({ ...V3, servers: [{ url: "/" }], components, security, paths: { "/a": { get: {} } } });

  it("is described in words, never with a secret", () => {
    const { notes } = asking([{ oauth: ["read", "write"] }, { key: [] }, { session: [] }]);
    expect(notes).toMatch(
      /client credentials with the scopes read, write, with tokens from https:\/\/issuer\.example\/token/,
    );
    expect(notes).toMatch(/API key in the header `X-Key`/);
    expect(notes).toMatch(/cookie `sid`, which calls cannot send/);
  });

  it("is kept as the tool's upstream scopes, those of the first alternative, unless one does without", () => {
    expect(asking([{ oauth: ["read"] }, { oauth: ["admin"] }]).tool).toMatchObject({
      upstreamScopes: ["read"],
      requiredScopes: [],
    });
    for (const alternative of [{}, { key: [] }])
      expect(asking([{ oauth: ["read"] }, alternative]).tool.upstreamScopes).toEqual([]);
  });
});

describe("an odd schema", () => {
  it("may have properties that are called like keywords", async () => {
    const names = ["$ref", "$id", "$schema", "$dynamicRef", "type", "properties", "__proto__", "nul\0"];
    const properties = JSON.parse(
      JSON.stringify(Object.fromEntries(names.map((name) => [name, { type: "string" }]))),
    ) as JsonObject;
    const example = JSON.parse('{ "__proto__": { "admin": true } }') as JsonObject;
    const schema = { type: "object", additionalProperties: true, properties, default: example };
    const requestBody = { required: true, content: { "application/json": { schema } } };
    const { tool } = imported({ ...V3, servers: [{ url: "/" }], paths: { "/a": { post: { requestBody } } } });
    const { body } = tool.inputSchema["properties"] as { body: { properties: JsonObject } };
    expect(Object.keys(body.properties)).toEqual(expect.arrayContaining(names.slice(0, 6)));
    expect(JSON.stringify(tool)).not.toMatch(/\\u0000|__proto__/);
    const validate = await compileUntrusted(tool.inputSchema);
    expect(validate({ body: { $ref: "text" } })).toEqual([]);
    expect(validate({ body: { $ref: 5 } })).not.toEqual([]);
  });
});

describe("how a document says that calls authenticate", () => {
  const suggested = (securitySchemes: object, security: object[]) =>
    imported({
      ...V3,
      servers: [{ url: "/" }],
      components: { securitySchemes },
      security,
      paths: { "/a": { get: {} } },
    });
  const ways = (scheme: object, scopes: string[] = []) =>
    suggested({ s: scheme }, [{ s: scopes }]).suggestedAuth.map(({ auth }) => auth);

  it.each([
    [{ type: "apiKey", in: "query", name: "k" }, [{ mode: "api_key", in: "query", name: "k" }]],
    [{ type: "apiKey", in: "cookie", name: "k" }, []],
    [{ type: "apiKey", in: "header", name: "no header" }, []],
    [{ type: "http", scheme: "Basic" }, [{ mode: "basic" }]],
    [{ type: "http", scheme: "digest" }, []],
    [{ type: "mutualTLS" }, []],
    [
      { type: "openIdConnect", openIdConnectUrl: "https://id.example/.well-known/openid-configuration" },
      [{ mode: "bearer" }, { mode: "token_exchange", tokenUrl: "", scope: "read write" }],
    ],
    [
      { type: "oauth2", flows: { clientCredentials: { tokenUrl: "/token", scopes: {} } } },
      [{ mode: "client_credentials", tokenUrl: "https://docs.example/token", scope: "read write" }, { mode: "bearer" }],
    ],
    [
      { type: "oauth2", flows: { authorizationCode: { tokenUrl: "https://u:p@id.example/token", scopes: {} } } },
      [{ mode: "bearer" }, { mode: "token_exchange", tokenUrl: "", scope: "read write" }],
    ],
  ])("is suggested as far as a source supports it: %j", (scheme, expected) =>
    expect(ways(scheme, ["read", "write"])).toEqual(expected),
  );

  it("names whole scopes only: those that are too long together are left out", () => {
    const flows = { clientCredentials: { tokenUrl: "https://id.example/token", scopes: {} } };
    const scopes = ["read", "x".repeat(1990), "write:all"];
    expect(ways({ type: "oauth2", flows }, scopes)[0]).toMatchObject({ scope: `read ${"x".repeat(1990)}` });
  });

  it("names where a secret would go", () => {
    const flows = { clientCredentials: { tokenUrl: "https://id.example/token", scopes: {} } };
    expect(suggested({ s: { type: "oauth2", flows } }, [{ s: [] }]).suggestedAuth[0]).toMatchObject({
      scheme: "s",
      origins: ["https://docs.example", "https://id.example"],
    });
  });

  it("is not suggested when one credential is not enough, and the plan says so", () => {
    const key = (name: string) => ({ type: "apiKey", in: "header", name });
    const { suggestedAuth, notes } = suggested({ a: key("A"), b: key("B"), c: key("C") }, [
      { a: [], b: [] },
      { c: [] },
    ]);
    expect(suggestedAuth.map(({ scheme }) => scheme)).toEqual(["c"]);
    expect(notes).toContain("requires `a`, `b` together with another credential, but calls send only one");
  });
});
