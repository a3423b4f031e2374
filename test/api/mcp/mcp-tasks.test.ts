import { createTaskSessionFromClient, resultFromTaskOutcome } from "@modelcontextprotocol/ext-tasks/client";
import {
  CreateTaskResultV2Schema,
  GetTaskResultV2Schema,
  withTaskCapabilityV2,
} from "@modelcontextprotocol/ext-tasks/core/v2";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { stopJobs } from "@/lib/jobs/runner";
import { mcpWith } from "@/lib/agents/mcp/endpoint";
import { production } from "@/lib/calls/pipeline/dependencies";
import { sharedMcpConnections } from "@/lib/calls/mcp/connections";
import { keyOf, save, supportDocument } from "@/test/api/agents-world";
import { connect, initialize, post, serveMcp, statelessMessage, type McpEndpoint } from "@/test/api/mcp-world";
import { allowOutbound } from "@/test/support/allow-outbound";
import { startJob } from "@/test/support/jobs/start-job";
import { useDatabase } from "@/test/support/database";
import { startMcpServer, textResult, type McpServer } from "@/test/support/servers/mcp-server";
import { serve, type Served } from "@/test/support/servers/serve";

// The extension for tasks (SEP-2663): the answer to an agent that does not wait, and its later requests.

const database = useDatabase();
let upstream: McpServer;
let endpoint: McpEndpoint;
let other: McpEndpoint;
let key: string;
let stranger: string;
/** Lets the upstream's tool end. */
let finish = () => {};
/** How often the tool began, and whether it was cancelled. */
let began = 0;
let stopped = 0;

interface Answered {
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** One message of a client that takes tasks, or of one that does not. */
async function ask(
  method: string,
  params: Record<string, unknown>,
  {
    credential = key,
    at = endpoint as Served,
    takes = true,
    meta = {},
    name = String(params["taskId"] ?? params["name"]),
    signal = new AbortController().signal,
  } = {},
): Promise<Answered & { readonly status: number }> {
  const message = statelessMessage(method, params) as { readonly params: { readonly _meta: object } };
  Object.assign(message.params._meta, meta);
  const sent = takes ? { ...message, params: withTaskCapabilityV2(message.params as never) } : message;
  const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": method, "mcp-name": name };
  const answer = await post(at, credential, sent, headers, signal);
  const text = await answer.text();
  return { status: answer.status, ...(JSON.parse(text.match(/^data: (.*)$/m)?.[1] ?? text) as Answered) };
}

const call = (name: string, options = {}) => ask("tools/call", { name, arguments: {} }, options);

const TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

async function begin(name: string): Promise<string> {
  return CreateTaskResultV2Schema.parse((await call(name)).result).taskId;
}

async function get(taskId: string) {
  return GetTaskResultV2Schema.parse((await ask("tasks/get", { taskId }, { at: other })).result);
}

async function ended(taskId: string) {
  await vi.waitUntil(async () => (await get(taskId)).status !== "working", { timeout: 15_000, interval: 50 });
  return get(taskId);
}

async function grant(groups: readonly string[]): Promise<void> {
  const document = supportDocument() as Record<"sources" | "tools" | "groups" | "policies" | "agents", object[]>;
  await save({
    ...document,
    sources: [...document.sources, { name: "up", kind: "mcp", url: upstream.url }],
    tools: [
      ...document.tools,
      ...Object.keys(upstream.tools).map((name) => ({
        id: `up:${name}`,
        description: name,
        inputSchema: { type: "object" },
        run: { kind: "mcp", tool: name },
        longRunning: name !== "words",
      })),
    ],
    groups: [...document.groups, { name: "upstream", description: "", selectors: [{ source: "up" }] }],
    policies: [
      ...document.policies,
      { name: "all", matchers: [{ claim: "up", operator: "equals", value: true }], groups },
    ],
    agents: [...document.agents, { name: "caller", attributes: { up: true } }],
  });
}

beforeAll(async () => {
  upstream = await startMcpServer();
  upstream.tools = {
    words: { run: () => textResult("plain words") },
    broken: { run: () => textResult("It broke.", true) },
    slow: {
      run: (_args, { mcpReq }) =>
        new Promise((resolve) => {
          began += 1;
          finish = () => resolve(textResult("slow words"));
          const stop = () => {
            stopped += 1;
            finish();
          };
          mcpReq.signal.addEventListener("abort", stop, { once: true });
        }),
    },
  };
  allowOutbound(upstream.host);
  await grant(["upstream"]);
  [key, stranger] = [await keyOf("caller"), await keyOf("stranger")];
  [endpoint, other] = [await serveMcp(), await serveMcp()];
});
afterAll(async () => {
  await sharedMcpConnections().close();
  await stopJobs();
  await Promise.all([endpoint.close(), other.close(), upstream.close()]);
});

it("access is checked again when a task starts: a tool that is no longer granted fails as unknown", async () => {
  const taskId = await begin("slow");
  expect(await get(taskId)).toMatchObject({ status: "working", statusMessage: "The call is queued." });
  await grant(["helpers"]);
  startJob("queued-calls");
  expect(await ended(taskId)).toMatchObject({ status: "failed", error: { code: -32_602 } });
  expect(began).toBe(0);
  await grant(["upstream"]);
});

it("a long tool runs as a task, which every process can read at once and which ends with the tool's result", async () => {
  const answer = await call("slow");
  const task = CreateTaskResultV2Schema.parse(answer.result);
  expect(task).toMatchObject({ resultType: "task", status: "working", ttlMs: 86_400_000, pollIntervalMs: 1_000 });
  expect(Object.keys(task)).not.toContain("content");
  await vi.waitUntil(() => began === 1, { timeout: 10_000 });
  expect(await get(task.taskId)).toMatchObject({ status: "working", createdAt: task.createdAt });
  finish();
  const done = await ended(task.taskId);
  expect(done).toMatchObject({
    status: "completed",
    createdAt: task.createdAt,
    result: { resultType: "complete", content: [{ type: "text", text: "slow words" }] },
  });
  expect(Date.parse(done.lastUpdatedAt)).toBeGreaterThan(Date.parse(done.createdAt));
  const rows = await database.query(`select "toolId" from execution where "callId" = $1`, [task.taskId]);
  expect(rows).toEqual([{ toolId: "up:slow" }]);
});

it.each([{ traceparent: TRACE }, { progressToken: "p" }])(
  "a message with %j in `_meta` gets a task too",
  async (meta) => {
    const { taskId } = CreateTaskResultV2Schema.parse((await call("slow", { meta })).result);
    await ask("tasks/cancel", { taskId });
    expect((await ended(taskId)).status).toBe("cancelled");
  },
);

it("a tool's own failure is a result; a tool that answers at once is no task", async () => {
  expect(await ended(await begin("broken"))).toMatchObject({
    status: "completed",
    result: { isError: true, content: [{ type: "text", text: expect.stringContaining("It broke.") }] },
  });
  expect((await call("words")).result).toMatchObject({
    resultType: "complete",
    content: [{ type: "text", text: "plain words" }],
  });
});

it("a task that is cancelled stops its tool; to cancel it again changes nothing; what clients send it is passed over", async () => {
  [began, stopped] = [0, 0];
  const taskId = await begin("slow");
  await vi.waitUntil(() => began === 1, { timeout: 10_000 });
  expect(
    (await ask("tasks/update", { taskId, inputResponses: { nothing: { action: "accept" } } })).result,
  ).toMatchObject({
    resultType: "complete",
  });
  expect((await get(taskId)).status).toBe("working");
  const acknowledged = await ask("tasks/cancel", { taskId }, { at: other });
  expect(Object.keys(acknowledged.result!).toSorted()).toEqual(["_meta", "resultType"]);
  expect((await ended(taskId)).status).toBe("cancelled");
  expect(stopped).toBe(1);
  expect((await ask("tasks/cancel", { taskId })).result).toMatchObject({ resultType: "complete" });
});

it("a client that disconnects while its task is accepted cancels the call, because it does not know the task", async () => {
  const leave = new AbortController();
  let left = false;
  let callId = "";
  const { storedCalls } = production();
  const queueCall: typeof storedCalls.queueCall = async (...queued) => {
    leave.abort();
    await vi.waitUntil(() => left, { timeout: 5_000 });
    const written = await storedCalls.queueCall(...queued);
    callId = queued[0].callId;
    return written;
  };
  const mcp = mcpWith(() => ({ ...production(), storedCalls: { ...storedCalls, queueCall } }));
  const own = await serve((request) => {
    request.signal.addEventListener("abort", () => (left = true));
    return mcp(request);
  });
  await expect(call("slow", { at: own, signal: leave.signal })).rejects.toThrow(/abort/);
  await vi.waitUntil(() => callId !== "", { timeout: 5_000 });
  expect((await ended(callId)).status).toBe("cancelled");
  await own.close();
});

it("another caller's task is unknown, and cannot be changed", async () => {
  began = 0;
  const taskId = await begin("slow");
  await vi.waitUntil(() => began === 1, { timeout: 10_000 });
  for (const method of ["tasks/get", "tasks/cancel", "tasks/update"]) {
    const theirs = await ask(method, { taskId, inputResponses: {} }, { credential: stranger });
    const nobodys = await ask(method, { taskId: "call_none", inputResponses: {} });
    expect(theirs.error).toMatchObject({ code: -32_602, message: nobodys.error!.message });
  }
  expect((await get(taskId)).status).toBe("working");
  finish();
  expect((await ended(taskId)).status).toBe("completed");
});

it("a client without support for tasks waits for the result, and cannot read tasks", async () => {
  began = 0;
  const waiting = call("slow", { takes: false });
  await vi.waitUntil(() => began === 1, { timeout: 10_000 });
  finish();
  expect((await waiting).result).toMatchObject({ resultType: "complete", content: [{ text: "slow words" }] });
  const refused = await ask("tasks/get", { taskId: "call_none" }, { takes: false });
  const requiredCapabilities = { extensions: { "io.modelcontextprotocol/tasks": {} } };
  expect(refused).toMatchObject({ status: 400, error: { code: -32_021, data: { requiredCapabilities } } });
});

it("the header names the task that the message does; methods that tasks lost are unknown", async () => {
  const mismatched = await ask("tasks/get", { taskId: "call_one" }, { name: "call_two" });
  expect(mismatched).toMatchObject({ status: 400, error: { code: -32_020 } });
  for (const method of ["tasks/list", "tasks/result"])
    expect((await ask(method, { taskId: "call_one" })).error).toMatchObject({ code: -32_601 });
});

it("a session of 2025-11-25 has no tasks", async () => {
  const session = await initialize(endpoint, key);
  const headers = { "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" };
  const message = { jsonrpc: "2.0", id: 1, method: "tasks/get", params: { taskId: "call_one" } };
  expect(await (await post(endpoint, key, message, headers)).text()).toContain("-32601");
});

it("the extension's own client calls, waits and reads the result", async () => {
  began = 0;
  const { client } = await connect(endpoint, { credential: key, era: "2026-07-28" });
  const capabilities = { extensions: { "io.modelcontextprotocol/tasks": {} } };
  const session = createTaskSessionFromClient(client, {
    endpointId: "quartermaster",
    rawDispatch: async (request) => {
      const { method, params } = request as { method: string; params: Record<string, string> };
      const headers = {
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": method,
        "mcp-name": params["taskId"] ?? params["name"] ?? "",
      };
      const message = { jsonrpc: "2.0", id: 1, ...(request as object) };
      const { result } = (await (await post(endpoint, key, message, headers)).json()) as { result: never };
      return { kind: "result", result };
    },
    v2RequestFraming: {
      protocolVersion: "2026-07-28",
      clientInfo: { name: "test", version: "1" },
      clientCapabilities: capabilities,
    },
  });
  try {
    const execution = await session.callTool("slow", {});
    expect(execution.kind).toBe("task");
    await vi.waitUntil(() => began === 1, { timeout: 10_000 });
    finish();
    const { outcome } = await execution.settle();
    expect(resultFromTaskOutcome(outcome)).toMatchObject({ content: [{ type: "text", text: "slow words" }] });
  } finally {
    await session.close();
    await client.close();
  }
});
