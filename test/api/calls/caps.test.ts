import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { withTaskCapabilityV2 } from "@modelcontextprotocol/ext-tasks/core/v2";
import { POST as tryTool } from "@/app/api/admin/tools/[id]/try/route";
import { callToolWith } from "@/lib/agents/rest/call";
import { cancelCall, followCall, readCall } from "@/lib/agents/rest/calls";
import { streamTools } from "@/lib/agents/streams/stream";
import { production, type Dependencies } from "@/lib/calls/pipeline/dependencies";
import { Client, documentWithTool, keyOf, save, supportDocument, type Problem } from "@/test/api/agents-world";
import { initialize, post, serveMcp, statelessMessage } from "@/test/api/mcp-world";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

// Limits of one caller: sessions, calls that have not ended, and streams.

const MAX_CALLS = 3;
for (const name of ["SESSIONS_PER_CALLER", "WAITING_CALLS_PER_CALLER", "CALLS_PER_CALLER", "STREAMS_PER_CALLER"])
  process.env[name] = String(MAX_CALLS);
const database = useDatabase();
const LATER = { tool_id: "builtin:calculate", arguments: { expression: "6 * 7" }, mode: "async" };
let reader: Client;
let refunder: Client;

beforeAll(async () => {
  await save(supportDocument());
  [reader, refunder] = [new Client(await keyOf("reader")), new Client(await keyOf("refunder"))];
});

const secondsOf = (headers: Headers) => Number(headers.get("retry-after"));

describe("sessions", () => {
  it("are limited by the setting under concurrency; a refusal says when to try again", async () => {
    const opened = await Promise.all([1, 2, 3, 4, 5].map(() => reader.open<Problem & { detail: string }>({})));
    expect(opened.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 429, 429]);
    const refused = opened.find(({ status }) => status === 429)!;
    expect(refused.json).toMatchObject({
      code: "quota_exceeded",
      detail: expect.stringMatching(/^You have 3 sessions/),
    });
    // A session expires a day after its last use. The first one may open a moment after the refused request began.
    expect(secondsOf(refused.headers)).toBeGreaterThan(86_300);
    expect(secondsOf(refused.headers)).toBeLessThanOrEqual(86_401);
  });

  it("of other callers do not count, nor does an expired one", async () => {
    expect((await refunder.open({})).status).toBe(201);
    expect((await reader.open({})).status).toBe(429);
    await database.query(`update agent_session set "expiresAt" = now() where id = (
      select id from agent_session where subject = 'reader' limit 1)`);
    expect((await reader.open({})).status).toBe(201);
    expect((await reader.open({})).status).toBe(429);
  });
});

describe("calls that have not ended", () => {
  beforeEach(() => database.query("delete from kept_call"));

  it("are limited by the setting: the next one is refused, logged with the reason, and not run", async () => {
    for (let n = 0; n < MAX_CALLS; n += 1) expect((await reader.call(LATER)).status).toBe(202);
    const refused = await reader.call(LATER);
    expect(refused).toMatchObject({
      status: 429,
      json: {
        status: "denied",
        error: {
          code: "quota_exceeded",
          retryable: true,
          details: { limit: "waiting", of: "caller", calls: MAX_CALLS },
        },
      },
    });
    expect(secondsOf(refused.headers)).toBe(1);
    expect(
      await database.query(`select status, reason from execution_outcome where "callId" = $1`, [refused.json.call_id]),
    ).toEqual([{ status: "denied", reason: "waiting of caller" }]);
    expect(await database.query("select count(*)::int as kept from kept_call")).toEqual([{ kept: MAX_CALLS }]);
    expect((await reader.call({ ...LATER, mode: "sync" })).status).toBe(200);
    expect((await refunder.call(LATER)).status).toBe(202);
  });

  it("count while they wait for an approval too, until they are cancelled", async () => {
    const { apiVersion, sources, tools, policies } = documentWithTool(LATER.tool_id, { requiresApproval: true });
    await save({ apiVersion, sources, tools, policies });
    const waiting = await Promise.all([1, 2, 3].map(() => reader.call({ ...LATER, mode: "sync" })));
    expect(waiting.map(({ json }) => json.status)).toEqual(Array(MAX_CALLS).fill("awaiting_approval"));
    expect((await reader.call(LATER)).status).toBe(429);
    const id = waiting[0]!.json.call_id;
    await cancelCall(request(`calls/${id}`, { method: "DELETE" }), { params: Promise.resolve({ id }) });
    expect((await reader.call(LATER)).status).toBe(202);
    await save(supportDocument());
  });
});

describe("calls that run", () => {
  it("are limited by the setting at a time, through all entrances together; the next is refused and logged", async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    let begun = 0;
    const held = () => {
      const real = production();
      const builtin: typeof real.runners.builtin = async (input) => {
        begun += 1;
        await released;
        return real.runners.builtin(input);
      };
      return { ...real, runners: { ...real.runners, builtin } };
    };
    const slow = new Client(reader.credential, held);
    const mcp = await serveMcp(held);
    const body = { ...LATER, mode: "sync" };
    const tool = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "calculate", arguments: LATER.arguments },
    };
    const session = { "mcp-session-id": await initialize(mcp, reader.credential) };
    const byMcp = () => post(mcp, reader.credential, tool, session).then((response) => response.text());
    const stateless = async ({ takesTasks }: { readonly takesTasks: boolean }) => {
      const message = statelessMessage("tools/call", tool.params) as { readonly params: object };
      const sent = takesTasks ? { ...message, params: withTaskCapabilityV2(message.params as never) } : message;
      const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "calculate" };
      return (await post(mcp, reader.credential, sent, headers)).text();
    };
    const tryAs = (agent: string) =>
      ask(tryTool, "POST", "/api/admin/tools/x/try", {
        params: { id: LATER.tool_id },
        body: { agent, arguments: LATER.arguments },
      });
    const streamed = (deps: () => Dependencies) => {
      const headers = { authorization: `Bearer ${reader.credential}`, "content-type": "application/json" };
      const asked = { method: "POST", headers, body: JSON.stringify({ ...body, stream: true }) };
      const handler = callToolWith(deps);
      return handler(new Request("http://127.0.0.1:3000/api/agents/tools/call", asked)).then((answer) => answer.text());
    };
    const running = [slow.call(body), streamed(held), byMcp()];
    await expect.poll(() => begun, { timeout: 30_000 }).toBe(MAX_CALLS);

    const refused = await reader.call(body);
    expect(refused).toMatchObject({
      status: 429,
      json: { status: "denied", error: { code: "rate_limited", retryable: true } },
    });
    expect(secondsOf(refused.headers)).toBe(1);
    const logged = `select status, reason from execution_outcome where "callId" = $1`;
    expect(await database.query(logged, [refused.json.call_id])).toEqual([
      { status: "denied", reason: "running of caller" },
    ]);
    expect(await streamed(production)).toContain("rate_limited");
    expect(await byMcp()).toContain("rate_limited");
    expect(await stateless({ takesTasks: false })).toContain("rate_limited");
    expect(await stateless({ takesTasks: true })).toContain("rate_limited");
    expect((await tryAs("reader")).json).toMatchObject({ error: { code: "rate_limited" } });
    expect((await tryAs("refunder")).json).toMatchObject({ status: "succeeded" });
    expect((await refunder.call(body)).status).toBe(200);
    expect(begun).toBe(MAX_CALLS);

    release();
    await Promise.all(running);
    expect((await reader.call(body)).status).toBe(200);
    await mcp.close();
  });
});

function request(path: string, init: RequestInit = {}): Request {
  const headers = { authorization: `Bearer ${reader.credential}` };
  return new Request(`http://127.0.0.1:3000/api/agents/${path}`, { ...init, headers });
}

describe("streams and polls that wait", () => {
  it("are limited by the setting together; each end frees a place", async () => {
    await database.query("delete from kept_call");
    const { call_id: id } = (await reader.call(LATER)).json;
    const params = { params: Promise.resolve({ id }) };
    const list = () => streamTools(request("stream"), { params: Promise.resolve({}) });
    const follow = () => followCall(request(`calls/${id}/events`), params);
    const gone = new AbortController();
    const poll = (seconds: number) => readCall(request(`calls/${id}?wait=${seconds}`, { signal: gone.signal }), params);

    const [listed, followed, polled] = [await list(), await follow(), poll(20)];
    // The poll takes its place once it is authenticated; one more of any kind is then refused.
    await expect.poll(async () => (await poll(1)).status, { timeout: 10_000 }).toBe(429);
    for (const more of [list, follow]) {
      const refused = await more();
      expect([refused.status, secondsOf(refused.headers)]).toEqual([429, 1]);
      expect(await refused.json()).toMatchObject({
        code: "quota_exceeded",
        detail: expect.stringMatching(/^You have 3 /),
      });
    }
    expect((await poll(0)).status).toBe(202);

    await listed.body?.cancel();
    await expect.poll(async () => (await follow()).status).toBe(200);
    expect((await list()).status).toBe(429);
    gone.abort();
    expect((await polled).status).toBe(202);
    expect((await list()).status).toBe(200);
    expect((await list()).status).toBe(429);
    await cancelCall(request(`calls/${id}`, { method: "DELETE" }), params);
    expect(await followed.text()).toContain("event: result");
    await expect.poll(async () => (await list()).status).toBe(200);
  });
});
