import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { CallToolResult } from "@modelcontextprotocol/client";
import { CALL_META } from "@/lib/agents/mcp/content";
import { env } from "@/lib/env";
import { endMcpSession } from "@/lib/store/calls/mcp-sessions";
import { builtinTools } from "@/lib/calls/builtin/index";
import { Client as RestClient, keyOf, save, supportDocument } from "@/test/api/agents-world";
import { connect, ERAS, initialize, post, serveMcp, statelessMessage } from "@/test/api/mcp-world";
import { useDatabase } from "@/test/support/database";
import type { Served } from "@/test/support/servers/serve";

const database = useDatabase();
let endpoint: Served;
let reader: string;
let refunder: string;

beforeAll(async () => {
  await save(supportDocument());
  reader = await keyOf("reader");
  refunder = await keyOf("refunder");
  endpoint = await serveMcp();
});
afterAll(async () => {
  await endpoint.close();
});

const CORP = {
  name: "corp",
  issuer: "https://id.example.com",
  audience: "qm",
  jwksUri: "https://id.example.com/jwks",
  algorithms: ["ES256"],
};
const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list" };

describe.each(ERAS)("in the era of %s", (era) => {
  it("a client lists exactly what the REST endpoint lists, and calls it", async () => {
    const { client } = await connect(endpoint, { credential: reader, era });
    const { tools } = await client.listTools();
    const rest = await new RestClient(reader).list<{ data: unknown[] }>("?format=mcp");
    expect(tools).toEqual(rest.json.data);
    const result = await client.callTool({ name: "calculate", arguments: { expression: "6 * 7" } });
    expect(result.isError).toBeUndefined();
    expect(result.structuredContent).toEqual({ value: 42 });
    expect(result.content).toEqual([{ type: "text", text: JSON.stringify(result.structuredContent) }]);
    await client.close();
  });

  it("the list holds exactly the callable tools, for every identity", async () => {
    let visible = 0;
    for (const name of ["reader", "refunder", "suspended", "stranger"]) {
      const { client } = await connect(endpoint, { credential: await keyOf(name, `${name}-${era}`), era });
      const listed = new Set((await client.listTools()).tools.map((tool) => tool.name));
      for (const tool of builtinTools()) {
        // Arguments that no tool accepts: a visible tool refuses them, a hidden one says it is not there.
        const params = { name: tool.name, arguments: { not_an_argument: true } };
        const outcome = await client.callTool(params).catch((error: unknown) => error as { data: { code: string } });
        const code = "data" in outcome ? (outcome.data as { code: string }).code : codeOf(outcome as CallToolResult);
        expect([name, tool.name, code]).toEqual([
          name,
          tool.name,
          listed.has(tool.name) ? "invalid_arguments" : "tool_not_available",
        ]);
      }
      visible += listed.size;
      await client.close();
    }
    expect(visible).toBeGreaterThan(10);
  });

  it("the server's instructions are the guidance of the groups that the caller is granted", async () => {
    const { client } = await connect(endpoint, { credential: refunder, era });
    expect(client.getInstructions()).toBe("refunds: Refund with care.");
    await client.close();
    const other = await connect(endpoint, { credential: reader, era });
    expect(other.client.getInstructions()).toBeUndefined();
    await other.client.close();
  });

  it("a call for which the token has too few scopes is 403, and names those that it needs", async () => {
    const document = supportDocument() as { tools: { id: string }[] };
    const tools = document.tools.map((tool) =>
      tool.id === "builtin:calculate" ? { ...tool, requiredScopes: ["math:run", "math:read"] } : tool,
    );
    await save({ ...document, tools });
    const { client } = await connect(endpoint, { credential: reader, era });
    const refused = await client
      .callTool({ name: "calculate", arguments: { expression: "1 + 1" } })
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ name: "InsufficientScopeError" });
    await client.close();
    await save(document as never);
  });

  it("every call is in the log with its endpoint", async () => {
    const { client } = await connect(endpoint, { credential: reader, era });
    const result = await client.callTool({ name: "calculate", arguments: { expression: "1 + 1" } });
    const { call_id } = result._meta!["quartermaster/call"] as { call_id: string };
    const [row] = await database.query(`select door, "toolId" from execution where "callId" = $1`, [call_id]);
    expect(row).toEqual({ door: "mcp", toolId: "builtin:calculate" });
    await client.close();
  });

  it("a hidden tool is an unknown tool, to the letter", async () => {
    const { client } = await connect(endpoint, { credential: reader, era });
    const refused = (name: string) => client.callTool({ name, arguments: {} }).catch((error: unknown) => error);
    const [hidden, unknown] = [await refused("refund_order"), await refused("no_such_tool")];
    expect(hidden).toMatchObject({ code: -32602, data: { code: "tool_not_available" } });
    const { code, message } = hidden as { code: number; message: string };
    expect(unknown).toMatchObject({ code, message });
    await client.close();
  });

  it("bad arguments, conditions and failures are results that carry our code", async () => {
    const { client } = await connect(endpoint, { credential: refunder, era });
    const bad = await client.callTool({ name: "calculate", arguments: { expression: 7 } });
    expect(bad).toMatchObject({
      isError: true,
      content: [{ type: "text", text: /^invalid_arguments: / }].map(textual),
    });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("refund_order");
    const args = { order_id: "O-5001", amount: 5_000, reason: "too much" };
    const large = await client.callTool({ name: "refund_order", arguments: args });
    expect(large.isError).toBe(true);
    expect(large._meta).toMatchObject({
      "quartermaster/call": { status: "denied", error: { code: "arguments_refused", retryable: false } },
    });
    expect(JSON.stringify(large.content)).toContain("Refunds above 100 euro need a supervisor.");
    await client.close();
  });

  it.each([
    ["a key that could poison an object", '"__proto__":{"a":1}'],
    ["a NUL character", '"expression":"\\u0000"'],
    ["half a surrogate pair", '"expression":"\\ud800"'],
    ["nesting without end", `"expression":${"[".repeat(5_000)}${"]".repeat(5_000)}`],
  ])(
    "arguments reach the pipeline as they were sent: %s is refused by a result, and logged",
    async (_what, hostile) => {
      const headers: Record<string, string> =
        era === "2025-11-25"
          ? { "mcp-session-id": await initialize(endpoint, reader), "mcp-protocol-version": era }
          : { "mcp-protocol-version": era, "mcp-method": "tools/call", "mcp-name": "calculate" };
      const message = { ...statelessMessage("tools/call", { name: "calculate", arguments: {} }) } as { params: object };
      if (era === "2025-11-25") message.params = { name: "calculate", arguments: {} };
      const text = JSON.stringify(message).replace('"arguments":{}', `"arguments":{${hostile}}`);
      const { result } = (await (await post(endpoint, reader, text, headers)).json()) as { result: CallToolResult };
      expect(result.content).toMatchObject([{ text: expect.stringMatching(/^invalid_arguments: /) }]);
      const { call_id: callId } = result._meta![CALL_META] as { call_id: string };
      const rows = await database.query(`select code from execution_outcome where "callId" = $1`, [callId]);
      expect(rows).toEqual([{ code: "invalid_arguments" }]);
    },
  );

  it("excessively nested input is no message, wherever the nesting is", async () => {
    const deep = `${'{"x":'.repeat(50_000)}1${"}".repeat(50_000)}`;
    const text = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{"experimental":${deep}}}}`;
    const answer = await post(endpoint, reader, text, { "mcp-protocol-version": era });
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: { code: -32_700 } }]);
  });

  it("parameters that are one text are never taken apart, which would hold the server for seconds", async () => {
    // Of a text in parts, half a surrogate pair would be refused as a text that cannot be stored, by -32700.
    const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: "\u{1F600}" };
    const answer = await post(endpoint, reader, message, { "mcp-protocol-version": era });
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: { code: -32_600 } }]);
  });

  it("group, state and profile narrow the list by query or by header, and are refused when they are wrong", async () => {
    const names = async (query: string, headers: Record<string, string> = {}) => {
      const { client } = await connect(endpoint, { credential: reader, era, query, headers });
      const { tools } = await client.listTools();
      await client.close();
      return tools.map(({ name }) => name);
    };
    const all = await names("");
    const helpers = await names("?group=helpers");
    expect(helpers).toContain("calculate");
    expect(helpers.length).toBeLessThan(all.length);
    expect(await names("", { "x-qm-group": "helpers" })).toEqual(helpers);
    expect(await names("?group=helpers&group=support-read")).toEqual(all);
    expect(await names("", { "x-qm-group": "helpers, support-read" })).toEqual(all);
    expect(await names("?group=")).toEqual([]);
  });

  it("an unknown profile is an error that names it, and never means no limit", async () => {
    const { client } = await connect(endpoint, { credential: reader, era, query: "?profile=nobody" });
    await expect(client.listTools()).rejects.toMatchObject({ code: -32602, data: { code: "invalid_request" } });
    await expect(client.callTool({ name: "calculate", arguments: {} })).rejects.toMatchObject({ code: -32602 });
    await client.close();
  });

  it("a session of ours is named by the parameter, and holds group, state and profile", async () => {
    const rest = new RestClient(reader);
    const { session_id } = (await rest.open({ group: ["helpers"] })).json;
    const { client } = await connect(endpoint, { credential: reader, era, query: `?session_id=${session_id}` });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).toSorted()).toEqual(
      (await rest.session(session_id)).json.tools.map(({ name }) => name).toSorted(),
    );
    await client.close();
    const other = await connect(endpoint, { credential: refunder, era, query: `?session_id=${session_id}` });
    await expect(other.client.listTools()).rejects.toMatchObject({ data: { code: "session_not_found" } });
    await other.client.close();
  });
});

it("a call that needs more scopes names them, in a challenge and in its result", async () => {
  const document = supportDocument() as { tools: { id: string }[] };
  const tools = document.tools.map((tool) =>
    tool.id === "builtin:calculate" ? { ...tool, requiredScopes: ["math:run", "math:read"] } : tool,
  );
  await save({ ...document, tools });
  const params = { name: "calculate", arguments: { expression: "1 + 1" } };
  const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "calculate" };
  const answer = await post(endpoint, reader, statelessMessage("tools/call", params), headers);
  expect(answer.status).toBe(403);
  expect(answer.headers.get("www-authenticate")).toMatch(
    /^Bearer realm="quartermaster", error="insufficient_scope", scope="math:run math:read"/,
  );
  expect(codeOf(((await answer.json()) as { result: CallToolResult }).result)).toBe("insufficient_scope");

  // The same for a client that requests progress: its stream has not begun.
  const message = statelessMessage("tools/call", params) as { params: { _meta: object } };
  const meta = { ...message.params._meta, progressToken: "p" };
  const heard = { ...message, params: { ...message.params, _meta: meta } };
  const session = await initialize(endpoint, reader);
  const plain = { jsonrpc: "2.0", id: 1, method: "tools/call" };
  const refusals = await Promise.all([
    post(endpoint, reader, heard, headers),
    post(endpoint, reader, { ...plain, params }, { "mcp-session-id": session }),
    post(
      endpoint,
      reader,
      { ...plain, params: { ...params, _meta: { progressToken: 1 } } },
      { "mcp-session-id": session },
    ),
  ]);
  for (const refusal of refusals) {
    expect(refusal.status).toBe(403);
    expect(refusal.headers.get("www-authenticate")).toContain('scope="math:run math:read"');
    const { id, result } = (await refusal.json()) as { id: number; result: CallToolResult };
    expect([id, codeOf(result)]).toEqual([1, "insufficient_scope"]);
  }
  await save(document as never);
});

describe("access", () => {
  it("without an authorization server there is no metadata, and no challenge points to it", async () => {
    await save({ apiVersion: "quartermaster/v1", settings: { clientSignIn: { enabled: false } } });
    const metadata = await fetch(`${endpoint.origin}/.well-known/oauth-protected-resource/mcp`);
    expect(metadata.status).toBe(404);
    const answer = await post(endpoint, null, LIST);
    expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([401, 'Bearer realm="quartermaster"']);
    await save({ apiVersion: "quartermaster/v1", settings: {} });
  });

  it("without a credential the answer is 401, with the address of the accepted issuers", async () => {
    await save({ apiVersion: "quartermaster/v1", issuers: [CORP] });
    const answer = await post(endpoint, null, LIST);
    expect(answer.status).toBe(401);
    const metadata = "http://127.0.0.1:3000/.well-known/oauth-protected-resource/mcp";
    expect(answer.headers.get("www-authenticate")).toBe(
      `Bearer realm="quartermaster", resource_metadata="${metadata}"`,
    );
    const wrong = await post(endpoint, "qm_nobody", LIST);
    expect(wrong.status).toBe(401);
    expect(wrong.headers.get("www-authenticate")).toMatch(/error="invalid_token".*resource_metadata="/);
  });

  it("the metadata names this resource and the issuers that are enabled, to anybody", async () => {
    await save({
      apiVersion: "quartermaster/v1",
      issuers: [
        CORP,
        {
          name: "old",
          issuer: "https://old.example.com",
          audience: "qm",
          jwksUri: "https://old.example.com/jwks",
          algorithms: ["ES256"],
          enabled: false,
        },
      ],
    });
    const answer = await fetch(`${endpoint.origin}/.well-known/oauth-protected-resource/mcp`);
    expect(await answer.json()).toEqual({
      resource: "http://127.0.0.1:3000/mcp",
      resource_name: "Quartermaster",
      authorization_servers: ["http://127.0.0.1:3000", "https://id.example.com"],
      scopes_supported: ["tools"],
      bearer_methods_supported: ["header"],
    });
  });

  it.each([
    ["host", "evil.example.com"],
    ["origin", "https://evil.example.com"],
    ["origin", "null"],
  ])("a request with another %s (%s) is refused before its credential is read", async (name, value) => {
    const { mcp } = await import("@/lib/agents/mcp/endpoint");
    const request = new Request("http://127.0.0.1:3000/mcp", { method: "POST", headers: { [name]: value } });
    expect((await mcp(request)).status).toBe(403);
  });

  it("hosts and pages that the operator names are served", async () => {
    const { mcp } = await import("@/lib/agents/mcp/endpoint");
    const ask = () =>
      mcp(
        new Request("http://x/mcp", {
          method: "POST",
          headers: { host: "qm.internal:8080", origin: "https://qm.internal" },
        }),
      );
    expect((await ask()).status).toBe(403);
    env.MCP_HOSTS.push("qm.internal");
    expect((await ask()).status).toBe(401);
    env.MCP_HOSTS.length = 0;
  });
});

describe("a session of 2025-11-25", () => {
  const PROTOCOL = { "mcp-protocol-version": "2025-11-25" };

  it("belongs to its principal: another's, an unknown and an ended one are all 404", async () => {
    const session = await initialize(endpoint, reader);
    const ask = (id: string, credential = reader) =>
      post(endpoint, credential, LIST, { ...PROTOCOL, "mcp-session-id": id });
    expect((await ask(session)).status).toBe(200);
    expect((await ask(session, refunder)).status).toBe(404);
    expect((await ask("5f0c1d2e-0000-4000-8000-000000000000")).status).toBe(404);
    const headers = { authorization: `Bearer ${reader}`, "mcp-session-id": session };
    expect((await fetch(`${endpoint.origin}/mcp`, { method: "DELETE", headers })).status).toBe(204);
    expect((await ask(session)).status).toBe(404);
  });

  it("is required for anything but `initialize`", async () => {
    expect((await post(endpoint, reader, LIST, PROTOCOL)).status).toBe(400);
    const headers = { authorization: `Bearer ${reader}`, accept: "text/event-stream" };
    expect((await fetch(`${endpoint.origin}/mcp`, { headers })).status).toBe(400);
  });

  it("survives its instance: another one serves it", async () => {
    const session = await initialize(endpoint, reader);
    const second = await serveMcp();
    const answer = await post(second, reader, LIST, { ...PROTOCOL, "mcp-session-id": session });
    expect(answer.status).toBe(200);
    await answer.text();
    await second.close();
  });

  it("ends after an idle hour, and is cleared out when the next one opens", async () => {
    const session = await initialize(endpoint, reader);
    await database.query(`update mcp_session set "lastUsedAt" = now() - interval '61 minutes' where id = $1`, [
      session,
    ]);
    expect((await post(endpoint, reader, LIST, { ...PROTOCOL, "mcp-session-id": session })).status).toBe(404);
    const next = await initialize(endpoint, reader);
    const rows = await database.query<{ id: string }>("select id from mcp_session where id = any($1)", [
      [session, next],
    ]);
    expect(rows).toEqual([{ id: next }]);
    await endMcpSession(next, { issuer: "quartermaster", subject: "reader", agent: "reader", client: null });
  });

  it("that ended elsewhere has ended here within 2 s, with or without a notice", async () => {
    const session = await initialize(endpoint, reader);
    const ask = async () => (await post(endpoint, reader, LIST, { ...PROTOCOL, "mcp-session-id": session })).status;
    expect(await ask()).toBe(200);
    await database.query("delete from mcp_session where id = $1", [session]);
    await vi.waitFor(async () => expect(await ask()).toBe(404), { timeout: 3_500 });
  });

  it("stays alive by being used", async () => {
    const session = await initialize(endpoint, reader);
    await database.query(`update mcp_session set "lastUsedAt" = now() - interval '50 minutes' where id = $1`, [
      session,
    ]);
    await (await post(endpoint, reader, LIST, { ...PROTOCOL, "mcp-session-id": session })).text();
    const [row] = await database.query<{ fresh: boolean }>(
      `select "lastUsedAt" > now() - interval '1 minute' as fresh from mcp_session where id = $1`,
      [session],
    );
    expect(row).toEqual({ fresh: true });
  });
});

describe("what is malformed", () => {
  it.each([
    ["?grupo=x", {}, "grupo"],
    ["", { "x-qm-grupo": "x" }, "grupo"],
    ["?group=a", { "x-qm-group": "a" }, "x-qm-group"],
    ["?session_id=s&state=a", {}, "state"],
    ["?state=", {}, "state"],
    ["", { "x-qm-state": "" }, "state"],
  ])(
    "a parameter that is unknown, empty or stated twice is a 400 that names it (%s %o)",
    async (query, headers, path) => {
      const answer = await fetch(`${endpoint.origin}/mcp${query}`, {
        method: "POST",
        headers: { authorization: `Bearer ${reader}`, "content-type": "application/json", ...(headers as object) },
        body: JSON.stringify(LIST),
      });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ code: "invalid_request", errors: [{ path }] });
    },
  );

  it.each([
    ["no JSON", "{", 400],
    ["nothing", "", 400],
    ["text that no database stores", '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"a":"\\u0000"}}', 400],
    ["no JSON-RPC", '{"hello":"world"}', 400],
    ["more than 1 MiB", `{"a":"${"x".repeat(1024 * 1024)}"}`, 413],
  ])("%s is refused with a 4xx", async (_what, body, status) => {
    const answer = await post(endpoint, reader, body);
    expect(answer.status).toBe(status);
    expect(await answer.text()).toMatch(/"(error|code)"/);
  });

  it("another media type is 415", async () => {
    const headers = { authorization: `Bearer ${reader}`, "content-type": "text/plain" };
    expect((await fetch(`${endpoint.origin}/mcp`, { method: "POST", headers, body: "{}" })).status).toBe(415);
  });

  it("a list of 2026-07-28 may be cached by its caller alone", async () => {
    const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" };
    const answer = await post(endpoint, reader, statelessMessage("tools/list"), headers);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(await answer.json()).toMatchObject({ result: { cacheScope: "private", ttlMs: 0 } });
  });

  it("a plain list is answered as the library answers it, which takes every other", async () => {
    const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" };
    const plain = statelessMessage("tools/list", {}, 'a "quoted" id') as { params: { _meta: object } };
    const other = { ...plain, params: { _meta: { ...plain.params._meta, progressToken: 1 } } };
    const [answer, library] = await Promise.all([
      post(endpoint, reader, plain, headers),
      post(endpoint, reader, other, headers),
    ]);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, library.headers.get("content-type")]);
    const json = (await answer.json()) as { result: { tools: unknown[] } };
    expect(json).toEqual(await library.json());
    expect(json.result.tools.length).toBeGreaterThan(5);
    const misled = await post(endpoint, reader, plain, { ...headers, "mcp-name": "calculate" });
    const misledLibrary = await post(endpoint, reader, other, { ...headers, "mcp-name": "calculate" });
    expect([misled.status, await misled.json()]).toEqual([misledLibrary.status, await misledLibrary.json()]);
  });

  it("a plain list of a session is answered as the library answers it, too", async () => {
    const headers = { "mcp-session-id": await initialize(endpoint, reader), "mcp-protocol-version": "2025-11-25" };
    const plain = { jsonrpc: "2.0", id: 7, method: "tools/list" };
    const other = { ...plain, params: { _meta: { progressToken: 1 } } };
    const [answer, library] = await Promise.all([
      post(endpoint, reader, plain, headers),
      post(endpoint, reader, other, headers),
    ]);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, library.headers.get("content-type")]);
    const json = (await answer.json()) as { result: { tools: unknown[] } };
    expect(json).toEqual(await library.json());
    expect(json.result.tools.length).toBeGreaterThan(5);
    for (const wrong of [{ "mcp-protocol-version": "1999-01-01" }, { accept: "application/json" }])
      expect((await post(endpoint, reader, plain, { ...headers, ...wrong })).status).toBeGreaterThanOrEqual(400);
  });

  it("without the headers that 2026-07-28 requires a request is refused", async () => {
    const answer = await post(endpoint, reader, statelessMessage("tools/list"), {
      "mcp-protocol-version": "2026-07-28",
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { code: -32020 } });
  });
});

/** Our code in a result that is an error. */
function codeOf({ _meta }: CallToolResult): string | undefined {
  return (_meta?.[CALL_META] as { error?: { code: string } } | undefined)?.error?.code;
}

/** A content block whose text is matched by a pattern. */
function textual({ type, text }: { type: string; text: RegExp }): object {
  return { type, text: expect.stringMatching(text) as unknown };
}
