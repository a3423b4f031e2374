import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "@/lib/access/model/configuration";
import { storedName, storedSentence } from "@/lib/audit/record/redact";
import { sharedMcpConnections } from "@/lib/calls/mcp/connections";
import { production } from "@/lib/calls/pipeline/dependencies";
import { Client, keyOf, save, supportDocument } from "@/test/api/agents-world";
import { connect, ERAS, initialize, post, serveMcp, statelessMessage } from "@/test/api/mcp-world";
import { allowOutbound } from "@/test/support/allow-outbound";
import { useDatabase } from "@/test/support/database";
import { seeded } from "@/test/support/seeded";
import { startIssuer, type TestIssuer } from "@/test/support/servers/issuer";
import { startMcpServer, textResult, type McpServer } from "@/test/support/servers/mcp-server";

// No text of a request or of an upstream's answer makes a row of the log unwritable.

const database = useDatabase();
let key: string;
let http: Server;
let mcp: McpServer;
let corp: TestIssuer;
/** What the upstream over HTTP answers. */
let answer: { readonly status: number; readonly type: string; readonly body: string };

beforeAll(async () => {
  http = createServer((_request, response) =>
    response.writeHead(answer.status, { "content-type": answer.type }).end(answer.body),
  );
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(http.address() as AddressInfo).port}`;
  [mcp, corp] = [await startMcpServer(), await startIssuer()];
  allowOutbound(host, mcp.host, corp.host);
  const document = supportDocument() as Record<"sources" | "tools" | "groups" | "policies", object[]>;
  const inputSchema = { type: "object" };
  const run = { kind: "http", method: "POST", url: `http://${host}/` };
  await save({
    ...document,
    sources: [...document.sources, { name: "shop", kind: "http" }, { name: "up", kind: "mcp", url: mcp.url }],
    tools: [
      ...document.tools,
      { id: "shop:ask", description: "Asks.", inputSchema, run },
      { id: "up:tell", description: "Tells.", inputSchema, run: { kind: "mcp", tool: "tell" } },
    ],
    groups: [
      ...document.groups,
      { name: "shopping", selectors: [{ source: "shop" }] },
      { name: "upstream", selectors: [{ source: "up" }] },
    ],
    policies: [...document.policies, { name: "all", everyone: true, groups: ["helpers", "shopping", "upstream"] }],
    issuers: [{ name: "corp", issuer: corp.issuer, audience: "quartermaster", jwksUri: corp.jwksUri }],
  });
  key = await keyOf("reader");
});
afterAll(async () => {
  await sharedMcpConnections().close();
  await Promise.all([mcp.close(), corp.close()]);
  http.closeAllConnections();
  http.close();
});

const PIECES = [
  "\0",
  "\uD800",
  "\uDC00",
  "\uD83D\uDE00",
  "a",
  "\u0001",
  "\uFFFF",
  "\\u0000",
  '"',
  "\\",
  "\n",
  "漢",
  "%00",
  "\u202E",
];

/** The pieces that a token may hold; another makes it malformed. */
const WELL_FORMED = PIECES.filter((piece) => piece !== "\0" && piece.isWellFormed());

function hostile(random: () => number, most: number, pieces: readonly string[] = PIECES): string {
  const length = Math.floor(random() * most);
  return Array.from({ length }, () => pieces[Math.floor(random() * pieces.length)]).join("");
}

/** Rows of the log: intents, and intents with an outcome. */
async function rows(): Promise<readonly [number, number]> {
  const [row] = await database.query<{ intents: number; ends: number }>(
    `select (select count(*)::int from execution) as intents, (select count(*)::int from execution_outcome) as ends`,
  );
  return [row?.intents ?? 0, row?.ends ?? 0];
}

it.each(["secret:list_items", "token:refresh-all", "api-key:list"])(
  "an unknown tool id of words is logged as it is: %s",
  (id) => {
    expect(storedName(id)).toBe(id);
  },
);

it.each([
  "secret:hunter2000",
  "password: correcthorsebatterystaple",
  "token:abcdefghijklmnopqrstuvwxyz",
  "sk_live_abcdefghij:list",
])("a name that states a secret is masked: %s", (name) => {
  expect(storedName(name)).toContain("[redacted]");
});

describe("an upstream's answer of any text", () => {
  it("is logged, as an output, an error, its details and their keys", async () => {
    const random = seeded(8);
    const answers: object[] = [];
    for (let turn = 0; turn < 40; turn += 1) {
      const text = hostile(random, turn % 4 === 0 ? 8_000 : 40);
      const nested: Json = { [text]: [text, { [text.slice(0, 50)]: text }] };
      const failure = { code: "upstream_error", message: text, details: nested };
      answers.push(turn % 2 === 0 ? { success: false, error: failure } : { success: true, output: nested });
    }
    const waiting = [...answers];
    const { runners } = production();
    const builtin = async () => ({ ...waiting.shift(), upstreamMs: 1, attempts: 1 }) as never;
    const caller = new Client(key, () => ({ ...production(), runners: { ...runners, builtin } }));
    const before = await rows();
    while (waiting.length > 0) {
      const got = await caller.call({ tool_id: "builtin:calculate", arguments: { expression: "1" } });
      expect(got.json.error?.code).not.toBe("interrupted");
    }
    const after = await rows();
    expect([after[0] - before[0], after[1] - before[1]]).toEqual([answers.length, answers.length]);
  });
});

/** Makes one call, and expects an intent with an outcome. Returns the answer. */
async function expectRow<T extends { readonly status: number }>(what: string, call: () => Promise<T>): Promise<T> {
  const before = await rows();
  const got = await call();
  const after = await rows();
  expect([what, after[0] - before[0], after[1] - before[1]]).toEqual([what, 1, 1]);
  return got;
}

describe("a real upstream's answer of any text", () => {
  it("over HTTP is logged, with any status and content type", async () => {
    const random = seeded(21);
    const caller = new Client(key);
    for (let turn = 0; turn < 30; turn += 1) {
      const text = hostile(random, turn % 3 === 0 ? 8_000 : 40);
      const json = JSON.stringify({ error: text, message: text, [text]: [text] });
      for (const [type, body] of [
        ["application/json", json],
        ["application/problem+json", json],
        [`text/${header(random, 40)}`, text],
        ["text/plain; charset=utf-8", text],
      ] as const) {
        answer = { status: [200, 400, 409, 500][turn % 4]!, type, body };
        const call = () => caller.call({ tool_id: "shop:ask", arguments: {} });
        const { json: ended } = await expectRow(`${answer.status} ${type}`, call);
        expect(ended.status).toBe(answer.status === 200 ? "succeeded" : "failed");
      }
    }
  });

  it("over MCP is logged, as a result, an error, structured content, progress and an error of the protocol", async () => {
    const random = seeded(22);
    const caller = new Client(key);
    for (let turn = 0; turn < 12; turn += 1) {
      const text = hostile(random, turn % 3 === 0 ? 8_000 : 40);
      const answers: Readonly<Record<string, Parameters<typeof setTool>[0]>> = {
        result: () => textResult(text),
        failure: () => textResult(text, true),
        structure: () => ({ content: [], structuredContent: { [text]: [text] } }),
        link: () => ({ content: [{ type: "resource_link", uri: `https://a.example/${text}`, name: text }] }),
        protocol: () => Promise.reject(new Error(text)),
        progress: async (_args, { mcpReq }) => {
          const progressToken = mcpReq._meta?.progressToken ?? 0;
          const params = { progressToken, progress: 1, total: 2, message: text };
          await mcpReq.notify({ method: "notifications/progress", params });
          return textResult(text);
        },
      };
      for (const [what, run] of Object.entries(answers)) {
        setTool(run);
        const { json } = await expectRow(what, () => caller.call({ tool_id: "up:tell", arguments: {} }));
        expect([what, json.status]).toEqual([what, ["failure", "protocol"].includes(what) ? "failed" : "succeeded"]);
      }
    }
  });
});

function setTool(run: NonNullable<McpServer["tools"][string]["run"]>): void {
  mcp.tools = { tell: { run } };
}

/** Text of any byte that a header may have. */
function header(random: () => number, most: number): string {
  const length = 1 + Math.floor(random() * most);
  const codes = Array.from({ length }, () => 32 + Math.floor(random() * 224));
  return codes.map((code) => (code === 127 ? "\t" : String.fromCharCode(code))).join("");
}

describe("a request of any text", () => {
  const fields = (text: string) => [
    { name: text },
    { tool_id: text },
    { name: "calculate", state: text },
    { name: "calculate", group: [text, "helpers"] },
    { name: "calculate", intent: text },
    { name: "calculate", machine: text },
    { name: "calculate", profile: text },
    { name: "calculate", session_id: text.slice(0, 64) },
    { name: "calculate", arguments: { expression: "1", [text]: { [text]: text } } },
  ];

  it("leaves a whole row, or is refused before it is a call", async () => {
    const random = seeded(36);
    const caller = new Client(key);
    for (let turn = 0; turn < 6; turn += 1)
      for (const body of fields(hostile(random, turn % 2 === 0 ? 6_000 : 150))) {
        const before = await rows();
        const got = await caller.call<{ code?: string; status?: string }>({ arguments: { expression: "1" }, ...body });
        const after = await rows();
        const isCall = typeof got.json.status === "string";
        expect([got.status < 500, after[0] - before[0], after[1] - before[1]]).toEqual([
          true,
          isCall ? 1 : 0,
          isCall ? 1 : 0,
        ]);
      }
  });

  it("in its headers leaves a whole row", async () => {
    const random = seeded(23);
    const caller = new Client(key);
    const names = [
      "x-request-id",
      "idempotency-key",
      "traceparent",
      "tracestate",
      "user-agent",
      "accept-language",
      "x-forwarded-for",
      "baggage",
    ];
    for (let turn = 0; turn < 6; turn += 1)
      for (const name of names) {
        const value = header(random, turn % 2 === 0 ? 6_000 : 100);
        const before = await rows();
        const call = { tool_id: "builtin:calculate", arguments: { expression: "1" } };
        const got = await caller.call<{ status?: string }>(call, { [name]: value });
        const after = await rows();
        // A refused header leaves a row too, where the caller is known.
        const isLogged = typeof got.json.status === "string" || after[0] > before[0] ? 1 : 0;
        expect([name, got.status < 500, after[0] - before[0], after[1] - before[1]]).toEqual([
          name,
          true,
          isLogged,
          isLogged,
        ]);
      }
  });

  it("in its session leaves whole rows, or is refused before a session is opened", async () => {
    const random = seeded(24);
    const caller = new Client(key);
    let opened = 0;
    for (let turn = 0; turn < 20; turn += 1) {
      const text = hostile(random, turn % 2 === 0 ? 4_000 : 12);
      const step = { action: text, thought: text, arguments: { [text]: text }, observation: text };
      for (const body of [
        { question: text },
        { history: [step] },
        { metadata: { [text.slice(0, 60)]: text } },
        { intent: text },
        { state: text },
        { group: [text] },
      ]) {
        const got = await caller.open<{ session_id?: string }>(body);
        expect([Object.keys(body), got.status < 500]).toEqual([Object.keys(body), true]);
        if (got.json.session_id === undefined) continue;
        opened += 1;
        const { session_id } = got.json;
        expect((await caller.patch(session_id, { intent: text })).status).toBeLessThan(500);
        const call = { tool_id: "builtin:calculate", arguments: { expression: "1" }, session_id };
        const { status } = await expectRow("in a session", () => caller.call(call));
        expect(status).toBeLessThan(500);
        await database.query("delete from agent_session");
      }
    }
    expect(opened).toBeGreaterThan(10);
  });

  it.each(ERAS)("through the MCP endpoint leaves a whole row: %s", async (era) => {
    const random = seeded(25);
    const endpoint = await serveMcp();
    const isStateless = era === "2026-07-28";
    const session = isStateless ? {} : { "mcp-session-id": await initialize(endpoint, key) };
    for (let turn = 0; turn < 5; turn += 1) {
      const text = hostile(random, turn % 2 === 0 ? 6_000 : 100);
      const plain = { name: "calculate", arguments: { expression: "1" } };
      for (const [name, params, meta] of [
        ["x", { ...plain, name: text }, {}],
        ["calculate", { ...plain, arguments: { expression: text, [text]: [text] } }, {}],
        ["calculate", plain, { [text]: text }],
        ["calculate", plain, { traceparent: text, tracestate: text, baggage: text }],
        ["calculate", plain, { progressToken: text }],
        ["calculate", plain, { "io.modelcontextprotocol/clientInfo": { name: text, version: text } }],
        ["calculate", { ...plain, [text]: text }, {}],
      ] as const) {
        const message = statelessMessage("tools/call", params) as { readonly params: { readonly _meta: object } };
        const _meta = { ...(isStateless && message.params._meta), ...meta };
        const sent = { ...message, params: { ...params, _meta } };
        const headers = { "mcp-protocol-version": era, "mcp-method": "tools/call", "mcp-name": name, ...session };
        const before = await rows();
        const got = await post(endpoint, key, sent, headers);
        const bodyText = await got.text();
        const after = await rows();
        const isCall = bodyText.includes("quartermaster/call") ? 1 : 0;
        expect([got.status < 500, after[0] - before[0], after[1] - before[1]]).toEqual([true, isCall, isCall]);
      }
    }
    await endpoint.close();
  });

  it("in the claims of its token leaves a whole row, or is refused before it is a call", async () => {
    const random = seeded(26);
    let calls = 0;
    for (let turn = 0; turn < 8; turn += 1) {
      const text = hostile(random, turn % 2 === 0 ? 800 : 40, turn < 6 ? WELL_FORMED : PIECES);
      for (const claims of [
        { sub: text },
        { client_id: text },
        { azp: text },
        { jti: text },
        { team: text, [text]: { [text]: [text] } },
        { name: text, email: text },
      ]) {
        const caller = new Client(await corp.token({ sub: "ada", ...claims }));
        const before = await rows();
        const call = { tool_id: "builtin:calculate", arguments: { expression: "1" } };
        const got = await caller.call<{ status?: string }>(call);
        const after = await rows();
        const isCall = typeof got.json.status === "string" ? 1 : 0;
        calls += isCall;
        expect([Object.keys(claims), got.status < 500, after[0] - before[0], after[1] - before[1]]).toEqual([
          Object.keys(claims),
          true,
          isCall,
          isCall,
        ]);
      }
    }
    expect(calls).toBeGreaterThan(10);
  });

  it("with a tool's name of 6,000 characters leaves a row that shows that it was cut, through the MCP endpoint", async () => {
    const endpoint = await serveMcp();
    for (const era of ["2025-11-25", "2026-07-28"] as const) {
      const { client } = await connect(endpoint, { credential: key, era });
      const before = await rows();
      await client.callTool({ name: "x".repeat(6_000), arguments: {} }).catch(() => {});
      const after = await rows();
      expect([after[0] - before[0], after[1] - before[1]]).toEqual([1, 1]);
      const [row] = await database.query<{ asked: string }>("select asked from execution order by at desc limit 1");
      expect(row?.asked).toBe(`${"x".repeat(199)}…`);
      await client.close();
    }
    await endpoint.close();
  });
});

it("a stored name has 200 characters at most and a stored sentence 500, both with a mark and no half character", () => {
  const random = seeded(1);
  for (let turn = 0; turn < 200; turn += 1) {
    const text = hostile(random, 2_000);
    for (const [stored, most] of [
      [storedName(text), 200],
      [storedSentence(text, []), 500],
    ] as const) {
      expect(stored.length).toBeLessThanOrEqual(most);
      expect(stored).not.toMatch(/\0|\p{Surrogate}/u);
      expect(Buffer.byteLength(stored)).toBeLessThan(2_000);
    }
  }
  expect(storedName("a".repeat(201))).toBe(`${"a".repeat(199)}…`);
});
