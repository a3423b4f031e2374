import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getExecution } from "@/lib/store/log/executions";
import { startExport, stopExport } from "@/lib/telemetry/export";
import { isExported } from "@/lib/telemetry/signals";
import { readTraceContext, traceFields, traceIdOf } from "@/lib/telemetry/trace-context";
import { Client, keyOf, save, supportDocument } from "@/test/api/agents-world";
import { allowOutbound } from "@/test/support/allow-outbound";
import { useDatabase } from "@/test/support/database";
import { kept } from "@/test/support/vitest/end-modules";

useDatabase();

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const SPAN = "b7ad6b7169203331";
const VALID = `00-${TRACE}-${SPAN}-01`;

describe("a caller's trace (W3C Trace Context)", () => {
  it("is read from its two headers, and forwarded in them", () => {
    const context = readTraceContext(VALID, "a=1,b=2");
    expect(context).toEqual({ traceparent: VALID, tracestate: "a=1,b=2" });
    expect(traceIdOf(context)).toBe(TRACE);
    expect(traceFields(context)).toEqual({ traceparent: VALID, tracestate: "a=1,b=2" });
    expect(traceFields(readTraceContext(VALID, null))).toEqual({ traceparent: VALID });
  });

  it("of a later version is read as far as this one goes", () => {
    for (const later of [`01-${TRACE}-${SPAN}-01`, `cc-${TRACE}-${SPAN}-01-more-of-it`])
      expect(readTraceContext(later, null)?.traceparent).toBe(VALID);
  });

  it.each<[string, unknown]>([
    ["nothing", null],
    ["an empty text", ""],
    ["no text", 5],
    ["an object", { traceparent: VALID }],
    ["the version that is none", `ff-${TRACE}-${SPAN}-01`],
    ["a trace of zeros", `00-${"0".repeat(32)}-${SPAN}-01`],
    ["a span of zeros", `00-${TRACE}-${"0".repeat(16)}-01`],
    ["capitals", VALID.toUpperCase()],
    ["more than this version has", `${VALID}-00`],
    ["a later version whose flags run on", `01-${TRACE}-${SPAN}-012`],
    ["something before it", ` ${VALID}`],
    ["two of them", `${VALID}, ${VALID}`],
    ["a line break", `${VALID}\n`],
    ["ids that are too short", `00-${TRACE.slice(1)}-${SPAN}-01`],
  ])("that is %s is none", (_what, traceparent) => {
    expect(readTraceContext(traceparent, "a=1")).toBeNull();
  });

  it.each<[string, unknown]>([
    ["too long", `a=${"1".repeat(600)}`],
    ["no ASCII", "a=ü"],
    ["more than one line", "a=1\r\nhost: elsewhere"],
    ["no text", ["a=1"]],
  ])("leaves a state behind that is %s", (_what, tracestate) => {
    expect(readTraceContext(VALID, tracestate)).toEqual({ traceparent: VALID, tracestate: null });
  });
});

describe("without an endpoint", () => {
  let upstream: Server;
  let reader: Client;
  const seen: IncomingMessage[] = [];

  beforeAll(async () => {
    upstream = createServer((request, response) => {
      seen.push(request);
      response.end();
    });
    await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
    const host = `127.0.0.1:${(upstream.address() as AddressInfo).port}`;
    allowOutbound(host);
    await save({
      ...supportDocument(),
      sources: [{ name: "shop", kind: "http" }],
      tools: [
        {
          id: "shop:find",
          description: "Asks.",
          inputSchema: { type: "object" },
          run: { kind: "http", method: "GET", url: `http://${host}/` },
        },
      ],
      groups: [{ name: "shopping", selectors: [{ source: "shop" }] }],
      policies: [{ name: "all", everyone: true, groups: ["shopping"] }],
      machines: [],
      intents: [],
      agents: [{ name: "reader" }],
    });
    reader = new Client(await keyOf("reader"));
  });
  afterAll(() => {
    upstream.closeAllConnections();
    upstream.close();
  });

  it("nothing is exported, and nothing that exports is there", async () => {
    expect([isExported("TRACES"), isExported("METRICS")]).toEqual([false, false]);
    await startExport();
    await stopExport();
    expect(kept.quartermaster).not.toHaveProperty("Spans");
  });

  it("a caller's trace is passed on as it came, and its id is in the row", async () => {
    const headers = { traceparent: VALID, tracestate: "a=1" };
    const { json } = await reader.call({ tool_id: "shop:find", arguments: {} }, headers);
    expect(json.status).toBe("succeeded");
    expect(seen.at(-1)?.headers).toMatchObject(headers);
    expect((await getExecution(json.call_id, { bodies: false }))?.traceId).toBe(TRACE);
  });

  it("none is made up for a caller that has none", async () => {
    const { json } = await reader.call({ tool_id: "shop:find", arguments: {} });
    expect(seen.at(-1)?.headers).not.toHaveProperty("traceparent");
    expect((await getExecution(json.call_id, { bodies: false }))?.traceId).toBeNull();
  });
});
