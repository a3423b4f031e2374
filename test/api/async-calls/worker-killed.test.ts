import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { env } from "@/lib/env";
import { reapInterrupted } from "@/lib/store/log/executions-reaper";
import { readStoredCall } from "@/lib/store/calls/stored-calls";
import { production } from "@/lib/calls/pipeline/dependencies";
import { readStoredAnswer } from "@/lib/calls/record/recorded";
import { Client, keyOf, save, supportDocument } from "@/test/api/agents-world";
import { allowOutbound } from "@/test/support/allow-outbound";
import { useDatabase } from "@/test/support/database";
import { runQueued } from "@/test/support/jobs/run-queued";

// A worker is killed while a call runs at an upstream. Nobody can know whether the effect has happened, so only a
// repeatable call may run again.

const database = useDatabase();
const PRINCIPAL = { issuer: "quartermaster", subject: "reader", agent: "reader", client: null };
let upstream: Server;
let host: string;
let reader: Client;
let worker: ChildProcess | null = null;
let arrived = 0;
let answering = false;

beforeAll(async () => {
  upstream = createServer((_request, response) => {
    arrived += 1;
    if (answering) response.writeHead(200, { "content-type": "application/json" }).end('{"done":true}');
  });
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  host = `127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  allowOutbound(host);
  const document = supportDocument() as Record<"sources" | "tools" | "groups" | "policies", object[]>;
  const tool = (operation: string, method: string) => ({
    id: `shop:${operation}`,
    description: "Asks the shop.",
    inputSchema: { type: "object" },
    run: { kind: "http", method, url: `http://${host}/` },
  });
  await save({
    ...document,
    sources: [...document.sources, { name: "shop", kind: "http" }],
    tools: [...document.tools, tool("order", "POST"), tool("replace", "PUT")],
    groups: [...document.groups, { name: "shopping", selectors: [{ source: "shop" }] }],
    policies: [...document.policies, { name: "shoppers", everyone: true, groups: ["shopping"] }],
  });
  reader = new Client(await keyOf("reader"));
});

beforeEach(() => {
  arrived = 0;
  answering = false;
});

afterEach(() => {
  worker?.kill("SIGKILL");
  worker = null;
});

afterAll(async () => {
  upstream.closeAllConnections();
  upstream.close();
});

async function startWorker(): Promise<ChildProcess> {
  worker = spawn(process.execPath, ["--import", "tsx", "test/support/processes/worker-process.ts"], {
    env: { ...process.env, DATABASE_URL: env.DATABASE_URL, OUTBOUND_ALLOW: host, MASTER_KEY: env.MASTER_KEY },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(worker.stdout!, "data");
  return worker;
}

/** Queues a call, and kills the worker that claimed it once the upstream has the request. */
async function callAndKill(tool: string): Promise<string> {
  const child = await startWorker();
  const accepted = await reader.call({ tool_id: tool, arguments: {}, mode: "async" });
  expect(accepted.json.status).toBe("pending");
  await vi.waitFor(() => expect(arrived).toBe(1), { timeout: 40_000, interval: 50 });
  child.kill("SIGKILL");
  await once(child, "exit");
  // Another process looks for dead processes after 30 s without a heartbeat.
  await reapInterrupted(new Date(Date.now() + 31_000));
  await database.query(`update instance set "seenAt" = now()`);
  return accepted.json.call_id;
}

const outcomes = (callId: string) =>
  database.query(`select status, code from execution_outcome where "callId" = $1`, [callId]);

it("a call with side effects is closed as interrupted, and never runs a second time", async () => {
  const callId = await callAndKill("shop:order");
  expect(await outcomes(callId)).toEqual([{ status: "failed", code: "interrupted" }]);
  answering = true;
  await runQueued(callId, production());
  expect(arrived).toBe(1);
  expect((await readStoredCall(callId, PRINCIPAL))?.status).toBe("ended");
}, 60_000);

it("a repeatable call runs again on another process, and ends once", async () => {
  const callId = await callAndKill("shop:replace");
  expect(await outcomes(callId)).toEqual([]);
  answering = true;
  await runQueued(callId, production());
  expect(arrived).toBe(2);
  expect(readStoredAnswer((await readStoredCall(callId, PRINCIPAL))!)?.output).toMatchObject({
    status: "succeeded",
    output: { done: true },
  });
  expect(await outcomes(callId)).toHaveLength(1);
}, 60_000);
