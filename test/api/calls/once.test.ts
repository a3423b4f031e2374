import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CallOutput } from "@/lib/contracts/agents/agent-api";
import { production } from "@/lib/calls/pipeline/dependencies";
import { resilience } from "@/lib/calls/limits/resilience";
import { Client, keyOf, save, supportDocument, type Got } from "@/test/api/agents-world";
import { allowOutbound } from "@/test/support/allow-outbound";
import { freePort } from "@/test/support/servers/free-port";
import { useDatabase } from "@/test/support/database";

/** Ways of an upstream to fail after it has acted. */
const FAILURES: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>> = {
  "drops the connection before the headers": (request) => request.socket.destroy(),
  "drops the connection after the headers": (request, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
    response.flushHeaders();
    setImmediate(() => request.socket.destroy());
  },
  "truncates the body": (request, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
    response.write('{"ok":', () => request.socket.destroy());
  },
  "truncates a body of unknown length": (request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.write('{"ok":', () => request.socket.destroy());
  },
  "answers 500": (_request, response) => response.writeHead(500).end("no"),
  "answers 502": (_request, response) => response.writeHead(502).end("no"),
  "answers 503": (_request, response) => response.writeHead(503, { "retry-after": "0" }).end("no"),
  "answers 504": (_request, response) => response.writeHead(504).end("no"),
  "does not answer in time": () => {},
  "answers with more than a tool may": (_request, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(`"${"x".repeat(1024 * 1024)}"`),
  "answers what cannot be read": (_request, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end("{"),
  "answers what is no text": (_request, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(Buffer.from([0xff])),
};

useDatabase();
let upstream: Server;
let caller: Client;
/** Of these even a request that declares a key is not repeated: the answer would be the same. */
const FINAL: ReadonlySet<string> = new Set([
  "answers 500",
  "does not answer in time",
  "answers with more than a tool may",
  "answers what cannot be read",
  "answers what is no text",
]);

/** The key of each effect that the upstream had; `none` for a request without one. */
let effects: string[] = [];
let fail: ((request: IncomingMessage, response: ServerResponse) => void) | null = null;
/** How often it fails before it answers. */
let failures = Infinity;

beforeAll(async () => {
  upstream = createServer((request, response) => {
    request.resume().on("end", () => {
      effects.push(String(request.headers["x-once"] ?? request.headers["idempotency-key"] ?? "none"));
      failures -= 1;
      if (fail !== null && failures >= 0) fail(request, response);
      else response.writeHead(200, { "content-type": "application/json" }).end('{"ok":true}');
    });
  });
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  const closed = `127.0.0.1:${await freePort()}`;
  allowOutbound(host, closed);
  const tool = (operation: string, method: string, more = {}, at = host) => ({
    id: `bank:${operation}`,
    description: "Asks the bank.",
    inputSchema: { type: "object" },
    run: { kind: "http", method, url: `http://${at}/` },
    limits: { timeoutSeconds: 0.5 },
    ...more,
  });
  const document = supportDocument() as { sources: object[]; tools: object[]; policies: object[]; groups: object[] };
  await save({
    ...document,
    sources: [
      ...document.sources,
      { name: "bank", kind: "http" },
      { name: "keyed", kind: "http", idempotencyHeader: "X-Once" },
    ],
    tools: [
      ...document.tools,
      tool("pay", "POST"),
      tool("patch", "PATCH"),
      tool("pay-once", "POST", { idempotencyHeader: "Idempotency-Key" }),
      tool("pay-nobody", "POST", {}, closed),
      { ...tool("pay", "POST"), id: "keyed:pay" },
    ],
    groups: [
      ...document.groups,
      { name: "banking", selectors: [{ source: "bank" }] },
      { name: "keyed", selectors: [{ source: "keyed" }] },
    ],
    policies: [...document.policies, { name: "payers", everyone: true, groups: ["banking", "keyed"] }],
  });
  caller = new Client(await keyOf("reader"), () => ({
    ...production(),
    resilience: resilience(
      () => {},
      () => 0,
    ),
  }));
});
afterAll(() => {
  upstream.closeAllConnections();
  upstream.close();
});
beforeEach(() => {
  effects = [];
  fail = null;
  failures = Infinity;
});

let keys = 0;
const newKey = () => ({ "idempotency-key": `key-${(keys += 1)}` });

function call(id: string, headers = {}): Promise<Got<CallOutput>> {
  return caller.call({ tool_id: id, arguments: {} }, headers);
}

describe.each(Object.keys(FAILURES))("an upstream that acts and then %s", (name) => {
  beforeEach(() => {
    fail = FAILURES[name] ?? null;
  });

  it("acts once, with or without the caller's key, and its error is not retryable", async () => {
    for (const [tool, headers] of [
      ["bank:pay", {}],
      ["bank:pay", newKey()],
      ["bank:patch", newKey()],
    ] as const) {
      effects = [];
      const answer = await call(tool, headers);
      const warning = name === "answers 500" ? "status 500" : "may have taken effect";
      const error = { retryable: false, message: expect.stringContaining(warning) as unknown };
      expect(answer.json).toMatchObject({ status: "failed", attempts: 1, error });
      expect(effects).toEqual(["none"]);
    }
  });

  it("acts once for a caller that repeats the call with its key, and answers it as before", async () => {
    const headers = newKey();
    const first = await call("bank:pay", headers);
    expect((await call("bank:pay", headers)).json).toEqual(first.json);
    expect(effects).toHaveLength(1);
  });

  it.each(["bank:pay-once", "keyed:pay"])("sends one key at each attempt of %s, which declares it", async (tool) => {
    failures = 1;
    const isRepeated = !FINAL.has(name);
    const answer = await call(tool);
    expect(answer.json.status).toBe(isRepeated ? "succeeded" : "failed");
    expect(effects).toHaveLength(isRepeated ? 2 : 1);
    expect(new Set(effects).size).toBe(1);
    expect(effects[0]).toMatch(/^[\w-]{20,}$/);
    const other = await call(tool, newKey());
    expect(other.json.status).toBe("succeeded");
    expect(new Set(effects).size).toBe(2);
  });
});

it("a request of which nothing was sent is repeated, and may be repeated by the caller, also with its key", async () => {
  const headers = newKey();
  const answer = await call("bank:pay-nobody", headers);
  expect(answer.json).toMatchObject({
    status: "failed",
    attempts: 3,
    error: { code: "upstream_unreachable", retryable: true },
  });
  expect((await call("bank:pay-nobody", headers)).json.call_id).not.toBe(answer.json.call_id);
});
