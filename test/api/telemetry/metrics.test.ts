import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createFront, answerNotFound } from "@/lib/server/front/front";
import { registerRuntimeGauges } from "@/lib/server/runtime-gauges";
import { findAgentRoute } from "@/lib/server/routes";
import { noteBreaker } from "@/lib/store/calls/breakers";
import { liveInstance } from "@/lib/store/log/executions-reaper";
import { Client, keyOf, save, supportDocument } from "@/test/api/agents-world";
import { allowOutbound } from "@/test/support/allow-outbound";
import { useDatabase } from "@/test/support/database";
import { readScrape, type Scrape } from "@/test/support/prometheus-text";

const database = useDatabase();

let front: Server;
let origin = "";
let upstream: Server;

async function listening(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  upstream = createServer((_request, response) => response.writeHead(500).end("broken"));
  const host = await listening(upstream);
  allowOutbound(host);
  const document = supportDocument() as { sources: object[]; tools: object[]; groups: object[]; policies: object[] };
  const run = { kind: "http", method: "POST", url: `http://${host}/` };
  await save({
    ...document,
    sources: [...document.sources, { name: "shop", kind: "http" }],
    tools: [...document.tools, { id: "shop:order", description: "Orders.", inputSchema: { type: "object" }, run }],
    groups: [...document.groups, { name: "shopping", selectors: [{ source: "shop" }] }],
    policies: [
      ...document.policies,
      { name: "shoppers", matchers: [{ claim: "team", operator: "equals", value: "support" }], groups: ["shopping"] },
    ],
  });
  front = createFront(findAgentRoute, answerNotFound);
  origin = `http://${await listening(front)}`;
  registerRuntimeGauges();
});

afterAll(async () => {
  front.closeAllConnections();
  front.close();
  upstream.close();
});

async function scrape(): Promise<Scrape> {
  const response = await fetch(`${origin}/api/metrics`);
  expect([response.status, response.headers.get("content-type")]).toEqual([
    200,
    "text/plain; version=0.0.4; charset=utf-8",
  ]);
  return readScrape(await response.text());
}

/** How much a metric's series have risen since. */
function since(before: Scrape, after: Scrape, name: string, labels: Record<string, string> = {}): number {
  return after.value(name, labels) - before.value(name, labels);
}

describe("what is counted", () => {
  let reader: Client;
  let before: Scrape;
  beforeAll(async () => {
    reader = new Client(await keyOf("reader"));
  });
  beforeEach(async () => {
    before = await scrape();
  });

  it("a list: one resolution, its tools, and whether the answer was remembered", async () => {
    const { count } = (await reader.list()).json;
    await reader.list();
    const after = await scrape();
    const total = (name: string) =>
      since(before, after, name, { cached: "yes" }) + since(before, after, name, { cached: "no" });
    expect(total("agent_access_resolutions_total")).toBe(2);
    expect(total("agent_resolution_time_count")).toBe(2);
    expect(since(before, after, "agent_access_resolutions_total", { cached: "yes" })).toBeGreaterThanOrEqual(1);
    expect(since(before, after, "agent_tools_resolved_total")).toBe(2 * count);
    await reader.list("?skip_cache=true");
    const fresh = since(after, await scrape(), "agent_access_resolutions_total", { cached: "no" });
    expect(fresh).toBe(1);
  });

  it("a list for a caller that no policy matches as denied, one without a credential as refused", async () => {
    await new Client(await keyOf("stranger")).list();
    await new Client("qm_none").list();
    const after = await scrape();
    expect(since(before, after, "agent_access_denied_total", { reason: "no_policy_grant" })).toBe(1);
    expect(since(before, after, "agent_access_denied_total", { reason: "unauthenticated" })).toBe(0);
    expect(since(before, after, "agent_refusals_total", { reason: "unauthenticated" })).toBe(1);
  });

  it("calls by tool, source, door and how they ended; refusals by their true reason", async () => {
    const calculate = { tool: "builtin:calculate", source: "builtin" };
    await reader.call({ tool_id: "builtin:calculate", arguments: { expression: "6*7" } });
    await reader.call({ name: "calculate", arguments: { wrong: 1 } });
    await reader.call({ tool_id: "support:refund_order", arguments: { order_id: "O-5001", amount: 1 } });
    await reader.call({ tool_id: "made:up-by-a-caller", arguments: {} });
    const failed = await reader.call({ tool_id: "shop:order", arguments: {} });
    expect(failed.json).toMatchObject({ status: "failed", error: { code: "upstream_error" } });
    const after = await scrape();
    const calls = (labels: Record<string, string>) =>
      since(before, after, "agent_tool_calls_total", { door: "rest", ...labels });
    expect(calls({ ...calculate, status: "succeeded" })).toBe(1);
    expect(calls({ ...calculate, status: "failed" })).toBe(1);
    expect(calls({ tool: "support:refund_order", status: "denied" })).toBe(1);
    expect(calls({ tool: "", source: "", status: "denied" })).toBe(1);
    expect(calls({ tool: "shop:order", source: "shop", status: "failed" })).toBe(1);
    const errors = (labels: Record<string, string>) => since(before, after, "agent_tool_errors_total", labels);
    expect(errors({ ...calculate, code: "invalid_arguments" })).toBe(1);
    expect(errors({ tool: "shop:order", code: "upstream_error" })).toBe(1);
    const refusals = (reason: string) => since(before, after, "agent_refusals_total", { reason });
    expect([refusals("not_in_granted_group"), refusals("unknown_tool")]).toEqual([1, 1]);
    expect(since(before, after, "agent_access_denied_total", { reason: "not_in_granted_group" })).toBe(0);
    expect(since(before, after, "agent_tool_duration_count", calculate)).toBe(1);
    expect(since(before, after, "agent_gateway_duration_count")).toBe(5);
  });

  it("a call once, however often its stored answer is given; one that waits when it has ended", async () => {
    const again = () =>
      reader.call(
        { tool_id: "builtin:calculate", arguments: { expression: "1" } },
        { "idempotency-key": "the-same-key" },
      );
    await again();
    await again();
    await reader.call({ tool_id: "builtin:calculate", arguments: { expression: "2" }, mode: "async" });
    const after = await scrape();
    expect(since(before, after, "agent_tool_calls_total", { tool: "builtin:calculate", status: "succeeded" })).toBe(1);
    expect(after.value("agent_queue_depth", { queue: "calls" })).toBe(1);
    await database.query("update kept_call set at = at - interval '1 hour' where status = 'queued'");
    const later = await scrape();
    expect(later.value("agent_queue_age_seconds", { queue: "calls" })).toBeGreaterThan(3600);
    expect(later.value("agent_queue_age_seconds", { queue: "deliveries" })).toBe(0);
  });

  it("open streams, while they are open", async () => {
    const headers = { authorization: `Bearer ${reader.credential}` };
    const leave = new AbortController();
    await fetch(`${origin}/api/agents/stream`, { headers, signal: leave.signal });
    const open = async () => (await scrape()).value("agent_open_streams", { kind: "events" });
    expect(await open()).toBe(before.value("agent_open_streams", { kind: "events" }) + 1);
    leave.abort();
    await vi.waitUntil(async () => (await open()) === before.value("agent_open_streams", { kind: "events" }));
  });

  it("breakers by source, for those that calls leave the house for", async () => {
    expect(before.value("agent_breaker_state", { source: "shop" })).toBe(0);
    expect(before.samples.filter(({ name }) => name === "agent_breaker_state")).toHaveLength(1);
    const state = async (tripped: "open" | "half_open" | null) => {
      const now = { since: new Date(), reason: "It answered 500." };
      await noteBreaker("shop", await liveInstance(), tripped === null ? null : { state: tripped, ...now });
      return (await scrape()).value("agent_breaker_state", { source: "shop" });
    };
    expect([await state("open"), await state("half_open"), await state(null)]).toEqual([2, 1, 0]);
  });

  it("the process itself", async () => {
    expect(before.value("process_resident_memory_bytes")).toBeGreaterThan(1e7);
    expect(before.types.get("nodejs_eventloop_lag_p99_seconds")).toBe("gauge");
    expect(before.value("nodejs_eventloop_lag_max_seconds")).toBeLessThan(20);
  });

  it("no value or name of a caller is a label", async () => {
    const text = JSON.stringify(before.samples);
    for (const word of ["made:up-by-a-caller", "reader", "stranger"]) expect(text).not.toContain(word);
  });
});

describe("without the store", () => {
  it("the gauges that are read there are left out, and the scrape answers all the same", async () => {
    await database.query("alter table source rename to source_gone");
    const without = await scrape();
    await database.query("alter table source_gone rename to source");
    expect(without.types.has("agent_breaker_state") || without.types.has("agent_queue_depth")).toBe(false);
    expect(without.types.has("agent_access_resolutions_total")).toBe(true);
    expect((await scrape()).types.has("agent_breaker_state")).toBe(true);
  });
});
