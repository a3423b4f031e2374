import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { GET as readImport } from "@/app/api/admin/imports/[id]/route";
import { POST as startImport } from "@/app/api/admin/imports/route";
import { sharedMcpConnections } from "@/lib/calls/mcp/connections";
import { production } from "@/lib/calls/pipeline/dependencies";
import { startSync } from "@/lib/sources/sync";
import { redact } from "@/lib/audit/record/redact";
import { signIn } from "@/lib/auth/people/sign-in";
import { setSecret } from "@/lib/store/config/secrets";
import { maskSecretShapes } from "@/lib/telemetry/secret-shapes";
import { ADMIN, Client, keyOf, save, supportDocument } from "@/test/api/agents-world";
import { connect, serveMcp } from "@/test/api/mcp-world";
import { ask } from "@/test/support/admin";
import { allowOutbound } from "@/test/support/allow-outbound";
import { useDatabase } from "@/test/support/database";
import { runQueued } from "@/test/support/jobs/run-queued";
import { captureOutput, CORE, leaksOf, SECRETS, UPPER } from "@/test/support/planted-secrets";
import { startIssuer, type TestIssuer } from "@/test/support/servers/issuer";
import { startMcpServer, textResult, type FixtureTool, type McpServer } from "@/test/support/servers/mcp-server";
import type { Served } from "@/test/support/servers/serve";

process.env["LOG_LEVEL"] = "trace";

const database = useDatabase();

/** Further shapes of secrets. */
const MASKED: readonly string[] = [
  `Token ${CORE}`,
  `curl --password ${CORE}`,
  `X-Amz-Signature=${CORE}`,
  `https://a.example/?key=${CORE}`,
  `pass=${CORE}&auth=${CORE}`,
  `https://${CORE}@a.example/`,
  `sk-or-v1-${CORE}`,
  `gsk_${CORE}`,
  `dckr_pat_${CORE}`,
  `ATATT3x${CORE}`,
  `figd_${CORE}`,
  `PMAK-${CORE}`,
];
/** Texts that only look like secrets. */
const PROSE: readonly string[] = [
  "the token of the caller expired",
  "sk-learn-is-a-library-of-python",
  "pass: 120/120",
  "Apps use [basic authentication](https://a.example), or Bearer authorization.",
  "https://person@a.example/?sort_key=name&author=me",
];

/** The source's credential; its upstream repeats it in other encodings. */
const CREDENTIAL = 'Wv5/8<k>&"m+2=Qz9 rT~x';

let upstream: Server;
let answer: { status: number; type: string; body: string } = { status: 200, type: "text/plain", body: "" };
let mcp: McpServer;
let corp: TestIssuer;
let endpoint: Served;
let caller: Client;
const lines: string[] = [];

const leaks = (...texts: readonly string[]) => leaksOf(database, lines, texts);

beforeAll(async () => {
  captureOutput(lines);
  upstream = createServer((_request, response) =>
    response.writeHead(answer.status, { "content-type": answer.type }).end(answer.body),
  );
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  [mcp, corp] = [await startMcpServer(), await startIssuer()];
  allowOutbound(host, mcp.host, corp.host);
  await setSecret(ADMIN, "credential", { value: CREDENTIAL, origins: [`http://${host}`] });
  const document = supportDocument() as Record<"sources" | "tools" | "groups" | "policies", object[]>;
  await save({
    ...document,
    sources: [
      ...document.sources,
      { name: "shop", kind: "http", auth: { mode: "api_key", in: "query", name: "key", secret: "credential" } },
      { name: "up", kind: "mcp", url: mcp.url },
      { name: "api", kind: "openapi" },
    ],
    tools: [
      ...document.tools,
      {
        id: "shop:ask",
        description: "Asks.",
        inputSchema: { type: "object" },
        run: { kind: "http", method: "POST", url: `http://${host}/` },
      },
      {
        id: "up:tell",
        description: "Tells.",
        inputSchema: { type: "object" },
        run: { kind: "mcp", tool: "tell" },
      },
    ],
    groups: [
      ...document.groups,
      { name: "shopping", selectors: [{ source: "shop" }] },
      { name: "upstream", selectors: [{ source: "up" }] },
    ],
    issuers: [{ name: "corp", issuer: corp.issuer, audience: "quartermaster", jwksUri: corp.jwksUri }],
    policies: [...document.policies, { name: "all", everyone: true, groups: ["shopping", "upstream", "helpers"] }],
  });
  caller = new Client(await keyOf("reader"));
  endpoint = await serveMcp();
});
afterAll(async () => {
  vi.restoreAllMocks();
  await endpoint.close();
  await sharedMcpConnections().close();
  await Promise.all([mcp.close(), corp.close()]);
  upstream.closeAllConnections();
  upstream.close();
});

/** Fields of a request that are no part of a call: headers, queries, addresses, credentials. */
async function plantElsewhere(secret: string): Promise<void> {
  const text = encodeURIComponent(secret);
  const headers = {
    traceparent: header(secret),
    tracestate: `a=${header(secret)}`,
    "user-agent": header(secret),
    "accept-language": header(secret),
    "x-forwarded-for": header(secret),
    "last-event-id": header(secret),
    "mcp-session-id": header(secret),
  };
  for (const field of [
    "search",
    "group",
    "state",
    "profile",
    "intent",
    "machine",
    "cursor",
    "format",
    "session_id",
    text,
  ])
    await caller.list(`?${field}=${text}`, headers);
  await caller.call(
    { name: "calculate", arguments: { expression: "1" }, callback_url: secret, [secret]: secret },
    headers,
  );
  await caller.read(secret);
  await caller.cancel(secret);
  await new Client(header(secret)).call({ name: "calculate", arguments: {} });
  await signIn(secret, secret, { address: "192.0.2.7", device: null }, Date.now());
}

const header = (text: string) => text.replaceAll(/[^\x21-\x7e]/g, "_");

describe("30 secrets that a caller plants in every field that it chooses", () => {
  it("are masked by shape, all 30 of them", () => {
    expect(new Set(SECRETS).size).toBe(30);
    for (const secret of [...SECRETS, ...MASKED])
      expect(String(redact(secret))).not.toMatch(new RegExp(`${CORE}|${UPPER}`));
    for (const text of PROSE) expect(redact(text)).toBe(text);
  });

  it("are in no table, export, metric or line of the log", async () => {
    const { client } = await connect(endpoint, { credential: caller.credential, era: "2026-07-28" });
    for (const secret of SECRETS) {
      const name = secret.slice(0, 200);
      const args = { expression: secret, note: { [secret]: [secret] } };
      const stated = { group: [name, "helpers"], state: name, intent: name };
      const requestId = /^[\w.-]+$/.test(secret) ? { "x-request-id": secret } : {};
      const key = { "idempotency-key": header(secret), ...requestId };
      await caller.call({ tool_id: "builtin:calculate", arguments: args, ...stated }, key);
      await caller.call({ tool_id: name, arguments: args });
      await caller.call({ name, arguments: args, machine: name });
      await caller.call({ name: "calculate", arguments: args, profile: name });
      await caller.call({ name: "calculate", arguments: args, session_id: secret.slice(0, 64) });
      await caller.call({ tool_id: "shop:ask", arguments: args }, key);
      const opened = await caller.open({
        question: secret,
        history: [{ action: name, thought: secret, arguments: args, observation: secret, state: name }],
        metadata: { [secret]: secret },
        ...stated,
      });
      if (opened.status === 201) await caller.patch(opened.json.session_id, { intent: name });
      await client.callTool({ name, arguments: args }).catch(() => {});
      await client.callTool({ name: "calculate", arguments: args, _meta: { [secret]: secret } }).catch(() => {});
      await plantElsewhere(secret);
    }
    await client.close();
    expect(await leaks(CORE, UPPER)).toEqual([]);
  }, 120_000);
});

describe("30 secrets that an upstream plants in its answers", () => {
  it("are in no table, export, metric or line of the log", async () => {
    for (const secret of SECRETS)
      for (const status of [200, 400, 500])
        for (const [type, body] of [
          ["text/plain", secret],
          ["application/json", JSON.stringify({ message: secret, [secret]: [secret] })],
        ] as const) {
          answer = { status, type, body };
          await caller.call({ tool_id: "shop:ask", arguments: {} });
          answer = { status, type: `text/${header(secret)}`, body };
          await caller.call({ tool_id: "shop:ask", arguments: {} });
        }
    expect(await leaks(CORE, UPPER)).toEqual([]);
  }, 120_000);
});

describe("30 secrets that an MCP server plants", () => {
  it("in results, errors, progress and errors of the protocol are in no table, export, metric or line of the log", async () => {
    for (const secret of SECRETS) {
      const answers: Readonly<Record<string, NonNullable<FixtureTool["run"]>>> = {
        result: () => textResult(secret),
        failure: () => textResult(secret, true),
        structure: () => ({ content: [], structuredContent: { message: secret, [secret]: [secret] } }),
        link: () => ({ content: [{ type: "resource_link", uri: `https://a.example/?q=${secret}`, name: secret }] }),
        meta: () => ({ content: [{ type: "text", text: "ok", _meta: { [secret]: secret } }], _meta: { a: secret } }),
        protocol: () => Promise.reject(new Error(secret)),
        progress: async (_args, { mcpReq }) => {
          const progressToken = mcpReq._meta?.progressToken ?? 0;
          const params = { progressToken, progress: 1, total: 2, message: secret };
          await mcpReq.notify({ method: "notifications/progress", params });
          return textResult("ok");
        },
      };
      const statuses: string[] = [];
      for (const run of Object.values(answers)) {
        mcp.tools = { tell: { run } };
        const { json } = await caller.call({ tool_id: "up:tell", arguments: {} });
        statuses.push(json.status);
      }
      expect(statuses).toEqual(["succeeded", "failed", "succeeded", "succeeded", "succeeded", "failed", "succeeded"]);
      const later = await caller.call({ tool_id: "up:tell", arguments: {}, mode: "async" });
      await runQueued(later.json.call_id, production());
    }
    expect(await leaks(CORE, UPPER)).toEqual([]);
  }, 120_000);

  it("in what makes an import or a sync fail are in no table, export, metric or line of the log", async () => {
    const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/openapi.json`;
    const errors: string[] = [];
    const finished = async (body: object) => {
      const { json } = await ask<{ id?: string }>(startImport, "POST", "/api/admin/imports", { body });
      const { id } = json;
      if (id === undefined) return;
      const ended = async () => {
        const got = await ask(readImport, "GET", `/api/admin/imports/${id}`, { params: { id } });
        if (got.json["status"] !== "running") errors.push(String(got.json["error"]));
        return got.json["status"] !== "running";
      };
      await vi.waitUntil(ended, { timeout: 15_000 });
    };
    for (const secret of SECRETS.slice(0, 8)) {
      const document = { openapi: secret, info: { title: secret, version: 1 }, paths: { [secret]: secret } };
      answer = { status: 200, type: "application/json", body: JSON.stringify(document) };
      await finished({ source: "api", url });
      answer = { status: 500, type: "text/plain", body: secret };
      await finished({ source: "api", url });
      answer = { status: 200, type: "text/plain", body: `: ${secret}\n  - [` };
      await finished({ source: "api", url });
      await finished({ source: "api", document: secret });
      mcp.intercept = () => new Response(secret, { status: 500, headers: { "content-type": "text/plain" } });
      await sharedMcpConnections().close();
      await finished({ source: "up" });
      await startSync(ADMIN, "up");
      const failed = "select 1 from source_sync where source = 'up' and error is not null";
      await vi.waitUntil(async () => (await database.query(failed)).length > 0, { timeout: 15_000 });
      mcp.intercept = () => null;
    }
    expect(errors).toHaveLength(5 * 8);
    expect(errors).not.toContain("null");
    expect(await leaks(CORE, UPPER)).toEqual([]);
  }, 120_000);
});

describe("30 secrets in the claims of a token", () => {
  it("are in no table, export, metric or line of the log", async () => {
    for (const secret of SECRETS) {
      const claims = { team: secret, scope: secret, name: secret, [secret]: { [secret]: [secret] }, jti: secret };
      const person = new Client(await corp.token({ sub: "ada", ...claims }));
      const { json } = await person.call({ name: "calculate", arguments: { expression: "1" } });
      expect(json.status).toBe("succeeded");
      await person.call({ name: "nothing", arguments: {} });
      await person.open({ question: "Why?" });
    }
    expect(await leaks(CORE, UPPER)).toEqual([]);
  }, 120_000);
});

describe("the source's credential that an upstream repeats", () => {
  const bytes = Buffer.from(CREDENTIAL);
  const percent = encodeURIComponent(CREDENTIAL);
  const html = CREDENTIAL.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const toUnicode = (char: string) => `\\u00${char.charCodeAt(0).toString(16)}`;
  const goJson = JSON.stringify(CREDENTIAL).slice(1, -1).replaceAll(/[<>&]/g, toUnicode);
  const core = (before: string) => {
    const text = Buffer.from(`${before}${CREDENTIAL}and more`).toString("base64");
    return [text, text.slice(8, 24)] as const;
  };
  it.each<[string, string, string]>([
    ["as it is", CREDENTIAL, CREDENTIAL],
    ["percent-encoded", percent, percent],
    ["percent-encoded in lower case", percent.replaceAll(/%../g, (one) => one.toLowerCase()), "Wv5%2f8%3c"],
    ["with HTML escapes", html.replaceAll('"', "&quot;"), "Wv5/8&lt;k"],
    ["with decimal HTML escapes", html.replaceAll('"', "&#34;"), "Wv5/8&lt;k"],
    ["in base64", ...core("")],
    ["in base64 after one byte", ...core("a")],
    ["in base64 after two bytes", ...core("ab")],
    ["in base64 after a name", ...core("user:")],
    ["in hexadecimal digits", bytes.toString("hex"), bytes.toString("hex")],
    ["in upper-case hexadecimal digits", bytes.toString("hex").toUpperCase(), bytes.toString("hex").toUpperCase()],
    ["in JSON as Go writes it", goJson, "\\u003ck"],
    ["in JSON with escaped slashes", JSON.stringify(CREDENTIAL).slice(1, -1).replaceAll("/", "\\/"), "Wv5\\/8"],
  ])("%s is in no answer and stored nowhere", async (_how, body, part) => {
    for (const status of [200, 500]) {
      answer = { status, type: "text/plain", body: `You said ${body}.` };
      const got = await caller.call({ tool_id: "shop:ask", arguments: {} });
      expect(got.text).not.toContain(part);
    }
    expect(await leaks(part)).toEqual([]);
  });
});

it.each(["token", "secret", "password", "passwd", "passphrase", "api key", "apikey", "API Key"])(
  "a value after %s is masked in a sentence of words alone",
  (name) => {
    expect(maskSecretShapes(`Send the ${name} abcd1234efgh5678ijkl with each request`)).toBe(
      `Send the ${name} [redacted] with each request`,
    );
  },
);

it("secrets that are percent-encoded once and twice are masked in one text", () => {
  const masked = maskSecretShapes("token=abcdef0123 and password%3Dhunter21 and password%253Dhunter22");
  expect(masked.match(/abcdef|hunter/g)).toBeNull();
  for (const [text, whole] of [
    ["password=correct%20horse%26battery", "password=[redacted]"],
    ["Cookie: session=%22abc123%22", "Cookie: [redacted]"],
    ["password: abcde%20fgh12 token%3Dxyz", "password: [redacted] token=[redacted]"],
    ["Bearer abcdefgh%2Bxyz", "[redacted]"],
    ["postgres://bob:p%40ssw0rd@db", "postgres://bob:[redacted]@db"],
    ["password=%22a b%22", "password=[redacted]"],
    ["password=%2522a b%2522 x", "password=[redacted] x"],
    ['Cookie: session="abc"', "Cookie: [redacted]"],
    ['Authorization: Digest username="x", response="0123"\nnext', "Authorization: [redacted]\nnext"],
    ['{"h":"Cookie: a=\\"b\\"; c=d","n":1}', '{"h":"Cookie: [redacted]","n":1}'],
    ['{"h":"Cookie: a=","password":"hunter2"}', '{"h":"Cookie: [redacted]":"[redacted]"}'],
  ] as const)
    expect(maskSecretShapes(text)).toBe(whole);
});

it("hostile texts are masked in linear time", () => {
  const size = 64 * 1024;
  const units = [
    "password=",
    'password="',
    "password='",
    "token: a",
    "authorization: ",
    "cookie:",
    '"secret":"',
    '\\"pin\\":1',
    "Bearer%20",
    "%25%32%35",
    "eyJ",
    "a://",
    "a://b:",
    "api key",
    "access_",
    "sk_live_",
    "-----BEGIN PRIVATE KEY-----",
    "&quot;",
    "{[",
    "secret\\\\\\\\",
    "shared key =  ",
  ];
  for (const unit of units) {
    const text = unit.repeat(size / unit.length);
    const started = performance.now();
    maskSecretShapes(text);
    redact(text);
    expect([unit, performance.now() - started < 250]).toEqual([unit, true]);
  }
});
