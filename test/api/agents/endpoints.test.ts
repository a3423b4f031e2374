import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serve, type RunningServer } from "@/bin/boot/serve.mjs";
import { findAgentRoute } from "@/lib/server/routes";
import { builtinTools } from "@/lib/calls/builtin/index";
import { keyOf, save, supportDocument } from "@/test/api/agents-world";
import { useDatabase } from "@/test/support/database";
import { ENDPOINT_PROMISES, type Endpoint } from "@/test/support/endpoint-promises";
import { freePort } from "@/test/support/servers/free-port";

// e2e/processes/endpoints.spec.ts runs the same tests on the third server, ours with Next, which needs a build.

const database = useDatabase();
let key = "";
let gateway: RunningServer;
let origin = "";

beforeAll(async () => {
  await save(supportDocument());
  key = await keyOf("refunder");
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  gateway = await serve({
    root: process.cwd(),
    mode: "gateway",
    host: "127.0.0.1",
    port,
    env: { DATABASE_URL: database.url, LOG_LEVEL: "error" },
    quiet: true,
  });
});

afterAll(async () => {
  await gateway.stop();
});

/** The handlers as a function of a request: what any server in front of them does. */
async function answer(request: Request): Promise<Response> {
  const found = findAgentRoute(new URL(request.url).pathname);
  const method = request.method === "HEAD" ? "GET" : request.method;
  const handler = found?.methods[method as keyof typeof found.methods];
  if (found === null || handler === undefined) return new Response(null, { status: found === null ? 404 : 405 });
  return handler(request, { params: Promise.resolve(found.params) });
}

const ENDPOINTS: Readonly<Record<string, Endpoint["send"]>> = {
  "the handlers": (path, init) => answer(new Request(`http://127.0.0.1${path}`, init)),
  "the gateway": (path, init) => fetch(origin + path, init),
};

describe.each(Object.entries(ENDPOINTS))("%s", (_name, send) => {
  test.each(Object.entries(ENDPOINT_PROMISES))("%s", async (_promise, hold) => {
    expect(await hold({ send, key })).toBeUndefined();
  });
});

test("a gateway has the thread that other people's schemas are tried in", async () => {
  const inputSchema = { type: "object", properties: { expression: { type: "string", maxLength: 3 } } };
  const tools = builtinTools().map((tool) => (tool.id === "builtin:calculate" ? { ...tool, inputSchema } : tool));
  await save(supportDocument({ tools }));
  const calculate = async (expression: string) => {
    const response = await fetch(`${origin}/api/agents/tools/call`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ tool_id: "builtin:calculate", arguments: { expression } }),
    });
    return (await response.json()) as unknown;
  };
  expect(await calculate("6*7")).toMatchObject({ status: "succeeded" });
  const details = { problems: [{ pointer: "/expression" }] };
  expect(await calculate("6 * 7")).toMatchObject({ error: { code: "invalid_arguments", details } });
});

test("the configuration reaches a gateway through the database: a saved change is seen in 2 s", async () => {
  const list = async () =>
    (await (await fetch(`${origin}/api/agents/tools`, { headers: { authorization: `Bearer ${key}` } })).json()) as {
      revision: number;
      count: number;
    };
  const before = await list();
  expect(before.count).toBeGreaterThan(0);
  const revision = await save(supportDocument({ policies: [] }));
  const until = performance.now() + 2_000;
  let after = await list();
  while (after.revision < revision && performance.now() < until) after = await list();
  expect(after).toMatchObject({ revision, count: 0 });
});
