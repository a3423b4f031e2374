import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cancelCall, followCall } from "@/lib/agents/rest/calls";
import { getExecution } from "@/lib/store/log/executions";
import { production } from "@/lib/calls/pipeline/dependencies";
import { Client, save, supportDocument, type Problem } from "@/test/api/agents-world";
import { initialize, post, serveMcp, statelessMessage, type McpEndpoint } from "@/test/api/mcp-world";
import { allowOutbound } from "@/test/support/allow-outbound";
import { useDatabase } from "@/test/support/database";
import { runQueued } from "@/test/support/jobs/run-queued";
import { startIssuer, type TestIssuer } from "@/test/support/servers/issuer";

// Two clients of one person are two principals, and a stored answer is given only under the rules of now.

useDatabase();
const CALL = { tool_id: "builtin:calculate", arguments: { expression: "6*7" } };
let corp: TestIssuer;
let mcp: McpEndpoint;
/** One person through two clients: `client_id` names one, `azp` the other. */
let desk: Client;
let phone: Client;

function granting(groups: readonly string[]): Record<string, unknown>[] {
  return [{ name: "everyone", everyone: true, groups }];
}

/** Grants everyone these groups alone. */
async function grant(...groups: string[]): Promise<void> {
  await save({ apiVersion: "quartermaster/v1", policies: granting(groups) });
}

beforeAll(async () => {
  corp = await startIssuer();
  allowOutbound(corp.host);
  await save(
    supportDocument({
      issuers: [{ name: "corp", issuer: corp.issuer, audience: "quartermaster", jwksUri: corp.jwksUri }],
      agents: [],
      policies: granting(["helpers", "support-read"]),
    }),
  );
  desk = new Client(await corp.token({ sub: "ada", client_id: "desk", azp: "other" }));
  phone = new Client(await corp.token({ sub: "ada", azp: "phone" }));
  mcp = await serveMcp();
});
afterAll(async () => {
  await mcp.close();
  await corp.close();
});

describe("two clients of one person", () => {
  it("do not share sessions", async () => {
    const { session_id } = (await desk.open({ group: ["*"] })).json;
    expect((await desk.session(session_id)).status).toBe(200);
    expect((await phone.session<Problem>(session_id)).json.code).toBe("session_not_found");
    expect((await phone.patch<Problem>(session_id, { intent: null })).json.code).toBe("session_not_found");
    expect((await phone.call({ ...CALL, session_id })).json.error?.code).toBe("session_not_found");
  });

  it("do not share calls, kept or in the log alone", async () => {
    const ran = await desk.call(CALL);
    const kept = await desk.call(CALL, { "idempotency-key": "kept" });
    for (const { json } of [ran, kept]) {
      expect((await desk.read(json.call_id)).json.output).toMatchObject({ value: 42 });
      expect((await phone.read(json.call_id)).status).toBe(404);
    }
  });

  it("read no answer of an older principal, which named no client: it expires unread", async () => {
    // Versions that did not read the client stored the calls of every client as calls of the person.
    const older = new Client(await corp.token({ sub: "ada" }));
    const headers = { "idempotency-key": "older" };
    const kept = await older.call(CALL, headers);
    for (const client of [desk, phone]) {
      expect((await client.read(kept.json.call_id)).status).toBe(404);
      expect((await client.call(CALL, headers)).json.call_id).not.toBe(kept.json.call_id);
    }
    expect((await older.read(kept.json.call_id)).json.output).toMatchObject({ value: 42 });
  });

  it("are refused by an id that no row could hold", async () => {
    const endless = new Client(await corp.token({ sub: "ada", client_id: "x".repeat(2_049) }));
    expect(await endless.call<Problem>(CALL)).toMatchObject({ status: 401, json: { code: "unauthenticated" } });
  });

  it("are distinguished for readers of the log", async () => {
    const calls = [await desk.call(CALL), await phone.call(CALL)];
    const read = await Promise.all(calls.map(({ json }) => getExecution(json.call_id, { bodies: false })));
    expect(read.map((execution) => execution?.client)).toEqual(["desk", "phone"]);
  });

  it("do not share idempotency keys", async () => {
    const headers = { "idempotency-key": "shared" };
    const [first, second] = [await desk.call(CALL, headers), await phone.call(CALL, headers)];
    expect(second.json.call_id).not.toBe(first.json.call_id);
    expect((await desk.call(CALL, headers)).json).toEqual(first.json);
  });

  it("do not share sessions of MCP", async () => {
    const session = await initialize(mcp, desk.credential);
    const headers = { "mcp-protocol-version": "2025-11-25", "mcp-session-id": session };
    const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    expect((await post(mcp, desk.credential, list, headers)).status).toBe(200);
    expect((await post(mcp, phone.credential, list, headers)).status).toBe(404);
  });

  it("a client keeps access to its calls with its next token", async () => {
    const { session_id } = (await desk.open({ group: ["*"] })).json;
    const again = new Client(await corp.token({ sub: "ada", client_id: "desk" }));
    expect((await again.session(session_id)).status).toBe(200);
  });
});

describe("a stored answer whose tool the caller may no longer see", () => {
  const WITHHELD = { status: "denied", error: { code: "tool_not_available" } };
  const askedAs = (handler: typeof followCall, id: string, method = "GET") =>
    handler(
      new Request(`http://127.0.0.1:3000/api/agents/calls/${id}/events`, {
        method,
        headers: { authorization: `Bearer ${desk.credential}` },
      }),
      { params: Promise.resolve({ id }) },
    ).then((response) => response.text());
  const task = async (id: string) => {
    const extensions = { "io.modelcontextprotocol/tasks": {} };
    const message = statelessMessage("tasks/get", { taskId: id }) as { params: { _meta: Record<string, unknown> } };
    message.params._meta["io.modelcontextprotocol/clientCapabilities"] = { extensions };
    const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tasks/get", "mcp-name": id };
    return (await post(mcp, desk.credential, message, headers)).text();
  };

  it("is withheld from polls, streams, events and tasks, and returned again when the tool is back", async () => {
    const { json } = await desk.call({ ...CALL, mode: "async" });
    await runQueued(json.call_id, production());
    const all = async () => [
      (await desk.read(json.call_id)).text,
      await askedAs(followCall, json.call_id),
      await askedAs(cancelCall, json.call_id, "DELETE"),
      await task(json.call_id),
    ];
    for (const text of await all()) expect(text).toMatch(/"value":\s*42/);
    await grant("support-read");
    const hidden = await all();
    for (const text of hidden) {
      expect(text).toContain("withheld");
      expect(text).not.toMatch(/"value":\s*42/);
    }
    expect((await desk.read(json.call_id)).json).toMatchObject(WITHHELD);
    await grant("helpers", "support-read");
    for (const text of await all()) expect(text).toMatch(/"value":\s*42/);
  });

  it("is not replayed for an idempotency key: the present rules refuse the call", async () => {
    const headers = { "idempotency-key": "replayed" };
    const first = await desk.call(CALL, headers);
    await grant("support-read");
    const refused = await desk.call(CALL, headers);
    expect([refused.status, refused.json.error?.code]).toEqual([404, "tool_not_available"]);
    await grant("helpers", "support-read");
    expect((await desk.call(CALL, headers)).json).toEqual(first.json);
  });

  it("is not withheld when only the call itself moved the session", async () => {
    const machine = {
      name: "once",
      initial: "fresh",
      states: [{ name: "fresh" }, { name: "used", terminal: true }],
      rules: [{ tool: CALL.tool_id, availableIn: ["fresh"], transitions: [{ from: "fresh", to: "used" }] }],
    };
    await save({ apiVersion: "quartermaster/v1", machines: [machine] });
    const { session_id } = (await desk.open({ group: ["*"], machine: "once" })).json;
    const headers = { "idempotency-key": "moves" };
    const first = await desk.call({ ...CALL, session_id }, headers);
    expect(first.json.state).toEqual({ before: "fresh", after: "used" });
    expect((await desk.call({ ...CALL, session_id }, headers)).json).toEqual(first.json);
    expect((await desk.read(first.json.call_id)).json.output).toMatchObject({ value: 42 });
  });
});
