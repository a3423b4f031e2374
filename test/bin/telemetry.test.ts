import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { serve, type RunningServer } from "@/bin/boot/serve.mjs";
import { keyOf, save, supportDocument } from "@/test/api/agents-world";
import { useDatabase } from "@/test/support/database";
import { freePort } from "@/test/support/servers/free-port";
import { readScrape } from "@/test/support/prometheus-text";

const database = useDatabase();

let gateway: RunningServer;
let collector: Server;
let origin = "";
let key = "";
/** The collector's requests: address and format. */
const received: { readonly path: string; readonly type: string; readonly body: Buffer }[] = [];

beforeAll(async () => {
  await save(supportDocument());
  key = await keyOf("reader");
  collector = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { url: path = "", headers } = request;
      received.push({ path, type: headers["content-type"] ?? "", body: Buffer.concat(chunks) });
      response.writeHead(200, { "content-type": "application/x-protobuf" }).end();
    });
  });
  collector.listen(0, "127.0.0.1");
  await once(collector, "listening");
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  gateway = await serve({
    root: process.cwd(),
    mode: "gateway",
    host: "127.0.0.1",
    port,
    env: {
      DATABASE_URL: database.url,
      LOG_LEVEL: "error",
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    },
    quiet: true,
  });
});

afterAll(() => {
  collector.closeAllConnections();
  collector.close();
});

test("a gateway counts its calls, for this machine only, and gives the collector the rest when it ends", async () => {
  const response = await fetch(`${origin}/api/agents/tools/call`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ tool_id: "builtin:calculate", arguments: { expression: "6*7" } }),
  });
  expect(response.status).toBe(200);
  const scrape = readScrape(await (await fetch(`${origin}/api/metrics`)).text());
  const succeeded = { tool: "builtin:calculate", source: "builtin", door: "rest", status: "succeeded" };
  expect(scrape.value("agent_tool_calls_total", succeeded)).toBe(1);
  const passedOn = await fetch(`${origin}/api/metrics`, { headers: { "x-forwarded-for": "127.0.0.1" } });
  expect(passedOn.status).toBe(401);
  // Metrics from the store exist once the background jobs have started.
  await vi.waitUntil(async () => (await (await fetch(`${origin}/api/metrics`)).text()).includes("agent_queue_depth"), {
    timeout: 15_000,
    interval: 200,
  });
  await gateway.stop();
  const spans = received.filter(({ path }) => path === "/v1/traces");
  expect(spans.map(({ type }) => type)).toEqual(["application/x-protobuf"]);
  expect(spans[0]?.body.includes("execute_tool calculate")).toBe(true);
  const last = received.filter(({ path }) => path === "/v1/metrics").at(-1);
  expect(last?.body.includes("agent_tool_calls")).toBe(true);
});
