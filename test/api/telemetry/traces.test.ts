import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { getExecution } from "@/lib/store/log/executions";
import { startExport, stopExport } from "@/lib/telemetry/export";
import { production } from "@/lib/calls/pipeline/dependencies";
import { Client } from "@/test/api/agents-world";
import { initialize, post, statelessMessage } from "@/test/api/mcp-world";
import { ANSWER, startTracedWorld, TOKEN, type TracedWorld } from "@/test/api/traced-world";
import { runQueued } from "@/test/support/jobs/run-queued";
import { startCollector, type ReceivedSpan } from "@/test/support/servers/collector";
import { useDatabase } from "@/test/support/database";

useDatabase();

const collector = await startCollector();
/** Set before the environment is first read. */
Object.assign(process.env, {
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
  OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
  OTEL_BSP_SCHEDULE_DELAY: "100",
  OTEL_METRIC_EXPORT_INTERVAL: "500",
});

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const CALLER = "b7ad6b7169203331";
const CLIENT = 3;
const SERVER = 2;
const INTERNAL = 1;
const ERROR = 2;

let world: TracedWorld;

beforeAll(async () => {
  world = await startTracedWorld();
  await startExport();
});

afterAll(async () => {
  await stopExport();
  await world.close();
  await collector.close();
});

beforeEach(() => {
  collector.spans.length = 0;
  world.seen.length = 0;
  world.receivedMeta.length = 0;
});

const traced = (flags = "01") => ({ traceparent: `00-${TRACE}-${CALLER}-${flags}`, tracestate: "vendor=1" });

/** Waits until so many spans have arrived, parents first. */
async function spans(count: number): Promise<ReceivedSpan[]> {
  await vi.waitUntil(() => collector.spans.length >= count, { timeout: 15_000 });
  expect(collector.spans).toHaveLength(count);
  const depth = (span: ReceivedSpan): number => {
    const parent = collector.spans.find(({ spanId }) => spanId === span.parentSpanId);
    return parent === undefined ? 0 : 1 + depth(parent);
  };
  return collector.spans.toSorted((a, b) => depth(a) - depth(b));
}

const traceIdInLog = async (callId: string) => (await getExecution(callId, { bodies: false }))?.traceId;

describe("a call over REST", () => {
  it("continues its caller's trace, its row has the trace's id, and the upstream continues it", async () => {
    const { json } = await world.reader.call({ tool_id: "shop:find", arguments: { q: "private words" } }, traced());
    expect(json.status).toBe("succeeded");
    const [call, request] = await spans(2);
    expect(call).toMatchObject({
      traceId: TRACE,
      parentSpanId: CALLER,
      traceState: "vendor=1",
      name: "execute_tool find",
      kind: SERVER,
      attributes: {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "find",
        "gen_ai.tool.call.id": json.call_id,
        "gen_ai.agent.name": "reader",
        "quartermaster.source": "shop",
        "quartermaster.status": "succeeded",
      },
    });
    expect(call?.attributes["error.type"]).toBeUndefined();
    expect(request).toMatchObject({
      traceId: TRACE,
      parentSpanId: call?.spanId,
      name: "GET",
      kind: CLIENT,
      attributes: { "http.request.method": "GET", "http.response.status_code": 200, "server.address": "127.0.0.1" },
    });
    const [at] = world.seen.filter(({ url }) => url?.startsWith("/find"));
    expect(at?.headers["traceparent"]).toBe(`00-${TRACE}-${request?.spanId}-01`);
    expect(at?.headers["tracestate"]).toBe("vendor=1");
    expect(await traceIdInLog(json.call_id)).toBe(TRACE);
  });

  it("begins a trace where its caller has none; a failure and a refusal say their code", async () => {
    const failed = await world.reader.call({ tool_id: "shop:break", arguments: {} });
    const [call, request] = await spans(2);
    expect(call?.parentSpanId ?? "").toBe("");
    expect(call).toMatchObject({ status: { code: ERROR }, attributes: { "error.type": "upstream_error" } });
    expect(request?.attributes).toMatchObject({ "error.type": "upstream_error", "http.response.status_code": 503 });
    expect(await traceIdInLog(failed.json.call_id)).toBe(call?.traceId);
    collector.spans.length = 0;
    const refused = await world.reader.call({ tool_id: "nobody:made-this-up", arguments: {} });
    const [only] = await spans(1);
    expect(only).toMatchObject({ name: "execute_tool", attributes: { "error.type": "tool_not_available" } });
    expect(JSON.stringify(only)).not.toContain("made-this-up");
    expect(await traceIdInLog(refused.json.call_id)).toBe(only?.traceId);
  });

  it("that its caller does not sample is not recorded, and is forwarded unchanged", async () => {
    const { json } = await world.reader.call({ tool_id: "shop:find", arguments: {} }, traced("00"));
    expect(await traceIdInLog(json.call_id)).toBe(TRACE);
    expect(world.seen.at(-1)?.headers["traceparent"]).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-00$`));
    await world.reader.call({ tool_id: "builtin:calculate", arguments: { expression: "1" } });
    expect((await spans(1))[0]?.name).toBe("execute_tool calculate");
  });

  it("of an async call continues the same trace", async () => {
    const body = { tool_id: "builtin:calculate", arguments: { expression: "1" }, mode: "async" };
    const { json } = await world.reader.call(body, traced());
    await runQueued(json.call_id, production());
    const [accepted, ran] = await spans(2);
    expect(accepted).toMatchObject({ traceId: TRACE, attributes: { "quartermaster.status": "pending" } });
    expect(ran).toMatchObject({ traceId: TRACE, parentSpanId: accepted?.spanId, name: "execute_tool calculate" });
  });

  it("of a script has the calls that the script makes below it", async () => {
    const { json } = await world.reader.call({ tool_id: "scripts:both", arguments: {} }, traced());
    expect(json.status).toBe("succeeded");
    const [script, nested, request] = await spans(3);
    expect(script).toMatchObject({ name: "execute_tool both", kind: SERVER });
    expect(nested).toMatchObject({ name: "execute_tool find", kind: INTERNAL, parentSpanId: script?.spanId });
    expect(request).toMatchObject({ name: "GET", parentSpanId: nested?.spanId });
  });
});

describe("a call over MCP", () => {
  const call = (meta: Record<string, string>, headers: Record<string, string> = {}) => {
    const message = statelessMessage("tools/call", { name: "words", arguments: {} }) as {
      params: { _meta: Record<string, unknown> };
    };
    Object.assign(message.params._meta, meta);
    const own = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "words" };
    return post(world.endpoint, world.key, message, { ...own, ...headers });
  };

  it("continues the trace of its `_meta`, and passes it to the upstream server in `_meta`", async () => {
    const response = await call(traced(), { traceparent: `00-${"1".repeat(32)}-${CALLER}-01` });
    expect(await response.text()).toContain("plain words");
    const [execute, request] = await spans(2);
    expect(execute).toMatchObject({
      traceId: TRACE,
      parentSpanId: CALLER,
      name: "execute_tool words",
      attributes: {
        "mcp.method.name": "tools/call",
        "mcp.protocol.version": "2026-07-28",
        "jsonrpc.request.id": "1",
        "quartermaster.door": "mcp",
      },
    });
    expect(request).toMatchObject({ name: "tools/call words", kind: CLIENT, parentSpanId: execute?.spanId });
    expect(world.receivedMeta[0]).toMatchObject({
      traceparent: `00-${TRACE}-${request?.spanId}-01`,
      tracestate: "vendor=1",
    });
  });

  it("names its session of the transport, where the protocol has one", async () => {
    const session = await initialize(world.endpoint, world.key);
    const message = { jsonrpc: "2.0", id: "x", method: "tools/call", params: { name: "words", _meta: traced() } };
    await (await post(world.endpoint, world.key, message, { "mcp-session-id": session })).text();
    expect((await spans(2))[0]).toMatchObject({
      traceId: TRACE,
      attributes: { "mcp.session.id": session, "jsonrpc.request.id": "x" },
    });
  });

  it("continues that of the HTTP request where `_meta` states none that can be read", async () => {
    await (await call({ traceparent: "00-nonsense" }, traced())).text();
    expect((await spans(2))[0]).toMatchObject({ traceId: TRACE, parentSpanId: CALLER });
  });
});

describe("what is sent", () => {
  it("carries no trace to token endpoints and key sets", async () => {
    const client = new Client(await world.corp.token({ sub: "alice" }));
    await client.call({ tool_id: "shop:find", arguments: {} }, traced());
    await spans(2);
    const other = world.seen.filter(({ url }) => url === "/keys" || url === "/token");
    expect(other.map(({ url }) => url)).toContain("/keys");
    expect(other.filter(({ headers }) => "traceparent" in headers || "tracestate" in headers)).toEqual([]);
  });

  it("holds nothing of arguments, results or credentials", async () => {
    await world.reader.call({ tool_id: "shop:find", arguments: { q: "private words" } });
    await spans(2);
    const all = collector.bodies.join("\n");
    expect(all).toContain("execute_tool find");
    for (const secret of ["private words", "private%20words", ANSWER, "client-secret", TOKEN, world.key])
      expect(all).not.toContain(secret);
  });

  it("says who sends it, and has the metrics too: cumulative, with buckets", async () => {
    await world.reader.call({ tool_id: "builtin:calculate", arguments: { expression: "1" } });
    await vi.waitUntil(() => collector.metrics.has("agent_tool_duration"), { timeout: 15_000 });
    expect(collector.resource).toMatchObject({
      "service.name": "quartermaster",
      "deployment.environment.name": "test",
    });
    const CUMULATIVE = 2;
    expect(collector.metrics.get("agent_tool_calls")?.sum).toMatchObject({
      isMonotonic: true,
      aggregationTemporality: CUMULATIVE,
    });
    const [point] = collector.metrics.get("agent_tool_duration")?.histogram?.dataPoints ?? [];
    expect(point?.bucketCounts).toHaveLength((point?.explicitBounds.length ?? 0) + 1);
    expect(collector.metrics.get("process_resident_memory_bytes")?.gauge?.dataPoints).toHaveLength(1);
  });
});
