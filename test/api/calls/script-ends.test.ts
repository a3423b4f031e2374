import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { cancelCall } from "@/lib/agents/rest/calls";
import { production } from "@/lib/calls/pipeline/dependencies";
import { Client, keyOf, save, supportDocument } from "@/test/api/agents-world";
import { allowOutbound } from "@/test/support/allow-outbound";
import { useDatabase } from "@/test/support/database";
import { runQueued } from "@/test/support/jobs/run-queued";

// The work of a script ends with the script, however it ends.

const database = useDatabase();

/** Scripts that call a tool which never answers, by how they end. */
const SCRIPTS = {
  waits: `export default (args, { callTool }) => callTool("slow:ask", {});`,
  computes: `export default async (args, { callTool }) => { callTool("slow:ask", {}); await callTool("slow:begun", {}); for (;;); };`,
  leaves: `export default async (args, { callTool }) => { callTool("slow:ask", {}); await callTool("slow:begun", {}); return "done"; };`,
  deep: `export default (args, { callTool }) => callTool("scripts:waits", {});`,
};

let upstream: Server;
let key: string;
let agent: Client;
/** Resolves when the upstream has a request, and when its client has left. */
let asked: Promise<void>;
let gone: Promise<void>;
let came = () => {};
let went = () => {};

beforeAll(async () => {
  upstream = createServer((request, response) => {
    if (request.url === "/begun") return void asked.then(() => response.end("{}"));
    came();
    response.on("close", () => went());
  });
  upstream.listen(0, "127.0.0.1");
  await once(upstream, "listening");
  const host = `127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  allowOutbound(host);
  const document = supportDocument() as Record<"sources" | "tools" | "groups" | "policies", object[]>;
  const tool = (id: string, run: object, more: object = {}) => ({
    id,
    description: "For scripts.",
    inputSchema: { type: "object" },
    run,
    ...more,
  });
  const scripts = Object.entries(SCRIPTS).map(([operation, code]) =>
    tool(`scripts:${operation}`, { kind: "script", code, cpuSeconds: 0.5 }),
  );
  const late = tool(
    "scripts:late",
    { kind: "script", code: SCRIPTS.waits, cpuSeconds: 0.5 },
    { limits: { timeoutSeconds: 1 } },
  );
  await save({
    ...document,
    sources: [...document.sources, { name: "scripts", kind: "script" }, { name: "slow", kind: "http" }],
    tools: [
      ...document.tools,
      ...scripts,
      late,
      tool("slow:ask", { kind: "http", method: "POST", url: `http://${host}/` }),
      tool("slow:begun", { kind: "http", method: "POST", url: `http://${host}/begun` }),
    ],
    groups: [...document.groups, { name: "all", selectors: [{ name: "*" }] }],
    policies: [...document.policies, { name: "all", everyone: true, groups: ["all"] }],
  });
  key = await keyOf("reader");
  agent = new Client(key);
});
afterAll(async () => {
  upstream.closeAllConnections();
  upstream.close();
});
beforeEach(() => {
  asked = new Promise((resolve) => (came = resolve));
  gone = new Promise((resolve) => (went = resolve));
});

/** The logged status of the script's call after its end. */
async function endOfNested(script: string): Promise<object> {
  return vi.waitFor(async () => {
    const [row] = await database.query<object>(
      `select status, code, reason from execution join execution_outcome using ("callId")
       where "toolId" = 'slow:ask' and "requestId" = (select "requestId" from execution where "callId" = $1)`,
      [script],
    );
    expect(row).toBeDefined();
    return row!;
  });
}

const CANCELLED = { status: "cancelled", code: "cancelled", reason: "The script that made the call has ended." };

it.each<[string, string, object]>([
  ["its time is over", "late", { status: "failed", error: { code: "upstream_timeout" } }],
  ["it computes for too long", "computes", { status: "failed", error: { code: "sandbox_timeout" } }],
  ["it answers without waiting", "leaves", { status: "succeeded", output: "done" }],
])("a call that a script has begun is cancelled when %s", async (_how, operation, answer) => {
  const { json } = await agent.call({ tool_id: `scripts:${operation}`, arguments: {} });
  expect(json).toMatchObject(answer);
  await gone;
  expect(await endOfNested(json.call_id)).toEqual(CANCELLED);
});

it.each(["waits", "deep"])(
  "a cancelled script cancels its calls, also through nested scripts: %s",
  async (operation) => {
    const { json } = await agent.call({ tool_id: `scripts:${operation}`, arguments: {}, mode: "async" });
    const id = json.call_id;
    const run = runQueued(id, production());
    await asked;
    const request = new Request(`http://127.0.0.1:3000/api/agents/calls/${id}`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${key}` },
    });
    const cancelled = await cancelCall(request, { params: Promise.resolve({ id }) });
    expect(await cancelled.json()).toMatchObject({ status: "cancelled" });
    await Promise.all([run, gone]);
    expect(await endOfNested(id)).toEqual(CANCELLED);
  },
);
