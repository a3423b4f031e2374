import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createFront, nothingElse } from "@/bin/front";
import { measureStandingWork } from "@/lib/agents/standing-metrics";
import { findAgentRoute } from "@/lib/agents/routes";
import { closeDatabase } from "@/lib/store/database";
import { noteBreaker } from "@/lib/store/breakers";
import { liveInstance } from "@/lib/store/executions-reaper";
import { tokens } from "@/lib/store/tokens";
import { metrics } from "@/lib/telemetry/metrics";
import { MOST_SERIES, OTHER, Registry } from "@/lib/telemetry/registry";
import { toPrometheus } from "@/lib/telemetry/prometheus";
import { ADMIN, Client, keyOf, save, supportDocument } from "@/test/api/agents-world";
import { allowOutbound } from "@/test/support/allow-outbound";
import { useDatabase } from "@/test/support/database";
import { readScrape, type Scrape } from "@/test/support/prometheus-text";

const database = useDatabase();

/** Set before the environment is first read. */
const METRICS_TOKEN = "metrics-token-of-this-test";
process.env["METRICS_TOKEN"] = METRICS_TOKEN;

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
  front = createFront(findAgentRoute, nothingElse);
  origin = `http://${await listening(front)}`;
  measureStandingWork();
});

afterAll(async () => {
  front.closeAllConnections();
  front.close();
  upstream.close();
});

const ask = (headers: Record<string, string> = {}) => fetch(`${origin}/api/metrics`, { headers });

async function scrape(): Promise<Scrape> {
  const response = await ask();
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

describe("who may read", () => {
  it("this machine, the holder of METRICS_TOKEN and a personal access token may", async () => {
    const { token } = await tokens.create(ADMIN, { name: "scraper", role: "auditor", expiresAt: null, enabled: true });
    for (const headers of [{}, { authorization: `Bearer ${METRICS_TOKEN}` }, { authorization: `Bearer ${token}` }])
      expect((await ask(headers)).status).toBe(200);
    await database.query("update token set enabled = false where name = 'scraper'");
    expect((await ask({ authorization: `Bearer ${token}` })).status).toBe(401);
  });

  it.each<Record<string, string>>([
    { "x-forwarded-for": "203.0.113.7" },
    { "x-forwarded-for": "127.0.0.1" },
    { "x-forwarded-for": "" },
    { forwarded: "for=203.0.113.7" },
    { "x-real-ip": "203.0.113.7" },
    { via: "1.1 proxy" },
    { authorization: `Bearer ${METRICS_TOKEN}x` },
    { authorization: "Bearer " },
    { authorization: METRICS_TOKEN },
    { authorization: "Basic YTpi" },
  ])("what came through a proxy, or with a wrong credential, is refused: %o", async (headers) => {
    const response = await ask(headers);
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toMatch(/^Bearer /);
    expect(await response.json()).toMatchObject({ code: "unauthenticated" });
  });

  it("an agent's key is nobody's, and a name that an attacker owns does not lead here", async () => {
    expect((await ask({ authorization: `Bearer ${await keyOf("reader", "scraping")}` })).status).toBe(401);
    const handler = findAgentRoute("/api/metrics")!.methods.GET!;
    const asked = (url: string, peer?: string) =>
      handler(new Request(url), { params: Promise.resolve({}), ...(peer !== undefined && { peer }) });
    expect((await asked("http://localhost:3000/api/metrics", "::ffff:127.0.0.1")).status).toBe(200);
    expect((await asked("http://rebound.example:3000/api/metrics", "127.0.0.1")).status).toBe(401);
    expect((await asked("http://127.0.0.1:3000/api/metrics", "10.0.0.7")).status).toBe(401);
    // Next cannot tell whose request it is.
    expect((await asked("http://127.0.0.1:3000/api/metrics")).status).toBe(401);
  });
});

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

  it("a caller whom no policy grants anything, and one without a credential, as denied", async () => {
    await new Client(await keyOf("stranger")).list();
    await new Client("qm_none").list();
    const after = await scrape();
    expect(since(before, after, "agent_access_denied_total", { reason: "no_policy_grant" })).toBe(1);
    expect(since(before, after, "agent_access_denied_total", { reason: "unauthenticated" })).toBe(1);
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
    const denied = (reason: string) => since(before, after, "agent_access_denied_total", { reason });
    expect([denied("not_in_granted_group"), denied("unknown_tool")]).toEqual([1, 1]);
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

  it("nothing that a caller made up, and nobody's name, is a label", async () => {
    const text = JSON.stringify(before.samples);
    for (const word of ["made:up-by-a-caller", "reader", "stranger"]) expect(text).not.toContain(word);
  });
});

describe("without the store", () => {
  it("the gauges that are read there are left out, and the scrape answers all the same", async () => {
    await closeDatabase();
    const url = process.env["DATABASE_URL"];
    await database.query("alter table source rename to source_gone");
    const without = await scrape();
    await database.query("alter table source_gone rename to source");
    expect(process.env["DATABASE_URL"]).toBe(url);
    expect(without.types.has("agent_breaker_state") || without.types.has("agent_queue_depth")).toBe(false);
    expect(without.types.has("agent_access_resolutions_total")).toBe(true);
    expect((await scrape()).types.has("agent_breaker_state")).toBe(true);
  });

  it("a reader that hangs costs a second, however many ask, and is asked once", async () => {
    const registry = new Registry();
    let asked = 0;
    registry.reads("hangs", () => {
      asked += 1;
      return new Promise(() => {});
    });
    const started = performance.now();
    expect(await Promise.all([registry.collect(), registry.collect()])).toEqual([[], []]);
    expect(performance.now() - started).toBeLessThan(2_500);
    expect(asked).toBe(1);
  });
});

describe("a metric", () => {
  it("has so many series and no more: the rest is counted together", async () => {
    const registry = new Registry();
    const tally = registry.counter("many", "Many.", ["tool"]);
    for (let n = 0; n < MOST_SERIES + 10; n += 1) tally.of({ tool: `t${n}` }).add();
    tally.of({ tool: "t0" }).add();
    const read = readScrape(toPrometheus(await registry.collect()));
    expect(read.samples).toHaveLength(MOST_SERIES + 1);
    expect(read.value("many_total", { tool: OTHER })).toBe(10);
    expect(read.value("many_total", { tool: "t0" })).toBe(2);
  });

  it("is written so that it reads the same again, whatever its labels hold", async () => {
    const registry = new Registry();
    const tool = 'a"b\\c\nd{e="f"},g';
    registry.counter("odd", "Odd \\ help\nin two lines.", ["tool"]).of({ tool }).add(1.5);
    const times = registry.histogram("times", "Times.", [], [1, 10]);
    for (const value of [0.5, 1, 1.1, 10, 11]) times.of({}).record(value);
    const read = readScrape(toPrometheus(await registry.collect()));
    expect(read.value("odd_total", { tool })).toBe(1.5);
    expect(["1", "10", "+Inf"].map((le) => read.value("times_bucket", { le }))).toEqual([2, 4, 5]);
    expect([read.value("times_sum"), read.value("times_count")]).toEqual([23.6, 5]);
  });

  it("is the process's, whichever module graph counts", () => {
    expect((global as { quartermasterMetrics?: unknown }).quartermasterMetrics).toBe(metrics());
  });
});
