import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import type { JsonObject } from "@/lib/access/model/configuration";
import type { AppError } from "@/lib/errors";
import { outboundClient } from "@/lib/outbound/fetch";
import { NO_TOOL_LIMITS } from "@/lib/resources/parts/no-limits";
import { httpRun, type HttpRun } from "@/lib/resources/parts/run";
import { toHttpRequest } from "@/lib/calls/runners/http-request";
import { runHttp, type HttpCall } from "@/lib/calls/runners/http";
import { ANY_CALLER } from "@/test/support/any-caller";

const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function runOf(fields: object): HttpRun {
  return httpRun.parse({ kind: "http", method: "GET", url: "https://api.example/v1", ...fields });
}

const path = (...names: string[]) => names.map((name) => ({ property: name, name, in: "path" }));
const query = (...names: string[]) => names.map((name) => ({ property: name, name, in: "query" }));

/** The refusal of an argument, which names its field. */
function refusalOf(property: string, message = /./) {
  return expect.objectContaining({
    code: "invalid_arguments",
    errors: [{ path: property, message: expect.stringMatching(message) as unknown }],
  }) as AppError;
}

/** Runs a tool against a server on loopback. */
function call(host: string, fields: object = {}, args: JsonObject = {}, more: Partial<HttpCall> = {}) {
  const run = runOf({ url: `http://${host}/`, ...fields });
  return runHttp(
    {
      tool: { id: "s:t", run, limits: NO_TOOL_LIMITS },
      source: { name: "s", auth: { mode: "none" } },
      caller: ANY_CALLER,
      arguments: args,
      signal: new AbortController().signal,
      ...more,
    },
    outboundClient({ allow: () => [host] }),
  );
}

describe("a tool's request", () => {
  it("puts each argument into its place, encoded, and nothing else anywhere", () => {
    const run = runOf({
      method: "POST",
      url: "https://api.example/v1/{team}/items/{id}?fixed=1",
      headers: { "X-Api-Version": "2" },
      parameters: [
        ...path("team", "id"),
        ...query("q", "tags", "filter"),
        { property: "trace", name: "X-Trace", in: "header" },
      ],
      body: { properties: [{ property: "note", name: "text" }] },
    });
    const args = {
      team: "a b:c",
      id: 7,
      q: "x&y=z",
      tags: ["a", "b"],
      filter: { min: 1 },
      trace: "t",
      note: "n",
      extra: "no",
    };
    expect(toHttpRequest(run, args)).toEqual({
      method: "POST",
      url: "https://api.example/v1/a%20b%3Ac/items/7?fixed=1&q=x%26y%3Dz&tags=a&tags=b&min=1",
      headers: {
        accept: "application/json, text/*;q=0.9, */*;q=0.5",
        "x-api-version": "2",
        "x-trace": "t",
        "content-type": "application/json",
      },
      body: '{"text":"n"}',
    });
  });

  it("omits absent and null arguments, and sends a whole body unchanged", () => {
    const run = runOf({ method: "PUT", parameters: query("a", "b"), body: { whole: "body" } });
    expect(toHttpRequest(run, { a: null, body: [1, null] })).toMatchObject({
      url: "https://api.example/v1",
      body: "[1,null]",
    });
    expect(toHttpRequest(run, {})).toMatchObject({ body: null });
  });

  it("never takes arguments from a prototype", () => {
    const run = runOf({ parameters: query("constructor", "toString") });
    expect(toHttpRequest(run, {}).url).toBe("https://api.example/v1");
  });

  const escapes = [
    ".",
    "..",
    "../x",
    "x/../../y",
    "..\\x",
    "%2e%2e",
    "%2E.",
    ".%2e/x",
    "..%2fx",
    "%252e%252e",
    "%25252e%25252e",
    "..;x",
    "..;/x",
    " ..",
    "a/./b",
    "%2e%2e%5cx",
  ];
  it.each(escapes)("refuses the path argument %s", (value) => {
    const run = runOf({ url: "https://api.example/v1/{id}/end", parameters: path("id") });
    expect(() => toHttpRequest(run, { id: value })).toThrow(refusalOf("id"));
  });

  it.each(["", " ", "\u00a0 ", [""], [" ", " "], [], {}])("refuses the path argument %j, which is blank", (id) => {
    for (const style of ["simple", "label"]) {
      const run = runOf({
        url: "https://api.example/v1/{item}",
        parameters: [{ property: "id", name: "item", in: "path", style }],
      });
      expect(() => toHttpRequest(run, { id })).toThrow(refusalOf("id", /send a value with a visible character/));
    }
  });

  const reserved = ["a/b", "a\\b", "a?b", "a#b", "100%", "a%2Fb", "a\nb", "a\u0000", "a\u0085b", "/", "7/delete"];
  it.each(reserved)("refuses the path argument %j, which could leave its segment", (value) => {
    const url = "https://api.example/users/{id}";
    const refusal = refusalOf("id");
    for (const style of ["simple", "label", "matrix"] as const) {
      const run = runOf({ url, parameters: [{ property: "id", name: "id", in: "path", style }] });
      for (const id of [value, ["x", value], { x: value }]) expect(() => toHttpRequest(run, { id })).toThrow(refusal);
    }
  });

  it("takes reserved characters in the path where the parameter allows them, as one segment", () => {
    const parameters = [{ property: "id", name: "id", in: "path", allowReserved: true }];
    const run = runOf({ url: "https://api.example/projects/{id}", parameters });
    expect(toHttpRequest(run, { id: "group/project?#" }).url).toBe(
      "https://api.example/projects/group%2Fproject%3F%23",
    );
    expect(() => toHttpRequest(run, { id: "a/../b" })).toThrow(refusalOf("id", /send another value/));
  });

  it.each(["admin", "Admin", "fixed", "list[]", "deep[role]", "deep.role"])(
    "refuses the member %s of an exploded query object: the operation has a parameter of that name",
    (name) => {
      const run = runOf({
        url: "https://api.example/v1?fixed=1",
        parameters: [
          ...query("filter", "admin", "list"),
          { property: "deep", name: "deep", in: "query", style: "deepObject" },
        ],
      });
      expect(toHttpRequest(run, { filter: { colour: "red" } }).url).toBe("https://api.example/v1?fixed=1&colour=red");
      expect(() => toHttpRequest(run, { filter: { colour: "red", [name]: "1" } })).toThrow(/has the name of another/);
    },
  );

  it("refuses the member of a deep object that spells the name of another parameter", () => {
    const deep = { property: "filter", name: "filter", in: "query", style: "deepObject" };
    const run = runOf({ url: "https://api.example/v1", parameters: [deep, ...query("filter[owner]")] });
    expect(toHttpRequest(run, { filter: { colour: "red" } }).url).toBe("https://api.example/v1?filter%5Bcolour%5D=red");
    for (const filter of [{ owner: "all" }, { Owner: "all" }, { owner: { id: 1 } }])
      expect(() => toHttpRequest(run, { filter })).toThrow(/has the name of another/);
  });

  it("refuses members that a framework reads as the method, in a query, a form and a whole body", () => {
    const spoofed = { colour: "red", _Method: "DELETE" };
    const refusal = /`_method` could change the operation/;
    const url = "https://api.example/v1";
    expect(() =>
      toHttpRequest(runOf({ method: "POST", url, parameters: query("filter") }), { filter: spoofed }),
    ).toThrow(refusal);
    for (const contentType of ["application/json", "application/x-www-form-urlencoded", "multipart/form-data"]) {
      const run = runOf({ method: "POST", body: { contentType, whole: "body", properties: [] } });
      expect(() => toHttpRequest(run, { body: spoofed })).toThrow(refusal);
    }
    const named = { contentType: "application/json", whole: null, properties: [{ property: "how", name: "_method" }] };
    expect(toHttpRequest(runOf({ method: "POST", body: named }), { how: "PUT" }).body).toBe('{"_method":"PUT"}');
  });

  it("refuses the member of an exploded form field that has the name of another field", () => {
    const contentType = "application/x-www-form-urlencoded";
    const properties = [
      { property: "data", name: "data", style: "form", explode: true },
      { property: "role", name: "role" },
    ];
    const run = runOf({ method: "POST", body: { contentType, whole: null, properties } });
    expect(toHttpRequest(run, { data: { a: 1 } }).body).toBe("a=1");
    expect(() => toHttpRequest(run, { data: { role: "admin" } })).toThrow(/has the name of another/);
  });

  it("names a missing path argument as the caller does", () => {
    const parameters = [{ property: "path_id", name: "id", in: "path" }];
    const run = runOf({ url: "https://api.example/{id}", parameters });
    expect(() => toHttpRequest(run, { id: "7" })).toThrow(refusalOf("path_id", /address needs this argument/));
  });

  it("refuses dots that only meet once the path is put together", () => {
    const run = runOf({ url: "https://api.example/{a}{b}/x", parameters: path("a", "b") });
    expect(() => toHttpRequest(run, { a: ".", b: "." })).toThrow(refusalOf("a", /send another value/));
  });

  it.each(["...", "a..b", ".hidden", "v1.2", "a.", "a b", "ü@x"])("takes the harmless path argument %s", (value) => {
    const run = runOf({ url: "https://api.example/{id}", parameters: path("id") });
    expect(new URL(toHttpRequest(run, { id: value }).url).pathname).toBe(`/${encodeURIComponent(value)}`);
  });

  it.each<[string, object, JsonObject]>([
    ["an empty path argument", { url: "https://a.example/{id}", parameters: path("id") }, { id: "" }],
    ["a missing path argument", { url: "https://a.example/{id}", parameters: path("id") }, {}],
    ["a nested value in the path", { url: "https://a.example/{id}", parameters: path("id") }, { id: { a: [1] } }],
    ["an argument for the host", { url: "https://{id}/x", parameters: path("id") }, { id: "evil.example" }],
    ["an argument after the question mark", { url: "https://a.example/?x={id}", parameters: path("id") }, { id: "x" }],
    ["a nested value in the query", { parameters: query("q") }, { q: { a: { b: 1 } } }],
    ["a cookie", { parameters: [{ property: "c", name: "c", in: "cookie" }] }, { c: "1" }],
    ["a line break in a header", { parameters: [{ property: "h", name: "X-H", in: "header" }] }, { h: "a\r\nb: c" }],
    ["another host by header", { parameters: [{ property: "h", name: "Host", in: "header" }] }, { h: "x" }],
    [
      "an authorization by header",
      { parameters: [{ property: "h", name: "authorization", in: "header" }] },
      { h: "x" },
    ],
  ])("refuses %s", (_name, fields, args) => {
    expect(() => toHttpRequest(runOf(fields), args)).toThrow(expect.objectContaining({ code: "invalid_arguments" }));
  });
});

describe("a tool's answer", () => {
  const answering = (status: number, type: string | null, text: string | Buffer) =>
    serve((_request, response) => response.writeHead(status, type === null ? {} : { "content-type": type }).end(text));

  it.each<[string, string | null, string, unknown]>([
    ["JSON, parsed", "application/json; charset=utf-8", '{"a":[1]}', { a: [1] }],
    ["JSON of a vendor's kind, parsed", "application/vnd.api+json", "5", 5],
    ["text, as text", "text/plain", "hello", "hello"],
    ["XML, as text", "application/xml", "<a/>", "<a/>"],
    ["something unnamed, as text", null, "{}", "{}"],
    ["nothing, as null", "application/json", "", null],
  ])("is %s", async (_name, type, text, output) => {
    expect(await call(await answering(200, type, text))).toMatchObject({
      success: true,
      output,
      status: 200,
      attempts: 1,
    });
  });

  it.each<[string, number, string, string, object]>([
    ["JSON that is none", 200, "application/json", "{", { code: "upstream_error" }],
    ["a picture", 200, "image/png", "x", { code: "upstream_error" }],
    ["text that is not UTF-8", 200, "text/plain", "\xff", { code: "upstream_error" }],
    [
      "JSON nested too deep",
      200,
      "application/json",
      "[".repeat(5000) + "]".repeat(5000),
      { code: "result_too_large" },
    ],
    ["a redirect", 302, "text/plain", "", { code: "upstream_error", retryable: false }],
    ["a refusal of credentials", 401, "text/plain", "who?", { code: "upstream_auth_failed" }],
    [
      "a client error",
      404,
      "application/json",
      '{"why":"gone"}',
      { code: "upstream_error", retryable: false, details: { status: 404, body: { why: "gone" } } },
    ],
    [
      "a server error",
      500,
      "text/plain",
      "boom",
      { code: "upstream_error", retryable: false, details: { body: "boom" } },
    ],
    ["a server that is busy", 503, "text/plain", "later", { code: "upstream_error", retryable: true }],
    ["a limit", 429, "text/plain", "slow", { code: "upstream_error", retryable: true }],
  ])("that is %s is a failure", async (_name, status, type, text, error) => {
    const result = await call(await answering(status, type, Buffer.from(text, "latin1")));
    expect(result).toMatchObject({ success: false, error });
  });

  it("shows no stack trace of the upstream, neither as text nor inside JSON", async () => {
    const trace = "no\n    at find (/srv/secret-path.js:1:2)";
    const longDocument = JSON.stringify({
      trace: [{ function: "secret-path", file: "a", line: 1 }],
      stackTrace: [trace],
      rest: "x".repeat(9_000),
    });
    for (const [type, body] of [
      ["text/plain", trace],
      // The end of what is shown cuts a frame.
      [
        "text/plain",
        `no\n${"x".repeat(2_012)}\n    at find (/srv/secret-path.js:1:2)\n    at run (/srv/secret-path.js:9:9)`,
      ],
      ["application/json", JSON.stringify({ message: trace, stack: trace })],
      // Longer than what is shown: masked before it is cut.
      ["application/json", longDocument],
      ["text/plain", longDocument],
    ] as const) {
      const result = await call(await answering(500, type, body));
      expect(JSON.stringify(result.error)).toContain("[stack trace masked]");
      expect(JSON.stringify(result.error)).not.toContain("secret-path");
    }
  });

  it.each(["application/json", "text/plain"])(
    "leaves out a document that is too long to search, as %s",
    async (type) => {
      const text = JSON.stringify({ stack: "secret-path", rest: "x".repeat(65_536) });
      const result = await call(await answering(500, type, text));
      expect(result.error?.details).toEqual({ status: 500, body: `[document of ${text.length} characters left out]` });
    },
  );

  it("shows a bounded part of what the upstream complained about", async () => {
    const result = await call(await answering(500, "text/html", "x".repeat(100_000)));
    expect(result.error?.details).toHaveProperty("body.length", 2048);
  });
});

describe("running a tool", () => {
  it("keeps the tool's own timeout, and can be cancelled", async () => {
    const host = await serve(() => {});
    const run = runOf({ url: `http://${host}/` });
    const timed = await call(
      host,
      {},
      {},
      { tool: { id: "s:t", run, limits: { ...NO_TOOL_LIMITS, timeoutSeconds: 0.2 } } },
    );
    expect(timed).toMatchObject({ success: false, error: { code: "upstream_timeout", retryable: true } });
    expect(await call(host, {}, {}, { signal: AbortSignal.abort() })).toMatchObject({ error: { code: "cancelled" } });
  });

  it("never throws: a tool without a request, an address that is refused", async () => {
    const tool = { id: "s:t", run: null, limits: NO_TOOL_LIMITS };
    expect(await call("127.0.0.1:1", {}, {}, { tool })).toMatchObject({ success: false });
    expect(await call("127.0.0.1:1", { url: "http://10.0.0.1/" })).toMatchObject({
      error: { code: "address_refused" },
    });
  });

  it("sends the call's key in the header where the upstream honours it, and in none else", async () => {
    const host = await serve((request, response) =>
      response.end(`${request.headers["x-once"] ?? "none"} ${request.headers["idempotency-key"] ?? "none"}`),
    );
    const idempotency = { header: "X-Once", key: "k-1" };
    expect(await call(host, {}, {}, { idempotency })).toMatchObject({ output: "k-1 none" });
    expect(await call(host)).toMatchObject({ output: "none none" });
  });

  it("lets the upstream's log and ours be joined", async () => {
    const host = await serve((request, response) => response.end(request.headers["x-request-id"]));
    expect(await call(host, {}, {}, { correlationId: "call-1" })).toMatchObject({ output: "call-1" });
  });
});
