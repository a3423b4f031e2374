import { expect, test } from "@/e2e/support/fixtures";
import { ENDPOINT_PROMISES } from "@/test/support/endpoint-promises";
import { readScrape } from "@/test/support/prometheus-text";

// Our server with Next, held to what every endpoint promises (test/api/agents/endpoints.test.ts has the other two).

for (const [promise, hold] of Object.entries(ENDPOINT_PROMISES))
  test(`our server: ${promise}`, async ({ server }) => {
    await hold({ send: (path, init) => fetch(server.baseUrl + path, init), key: server.apiKey });
  });

test("what Next refuses by itself below /api/ is a problem document, and never a failure of ours", async ({
  server,
}) => {
  const asked: readonly [method: string, path: string, status: number, code: string][] = [
    ["GET", "/api/admin/nothing/at/all/there", 404, "not_found"],
    ["GET", "/api/nothing", 404, "not_found"],
    ["GET", "/api/admin/tools/%ff", 404, "not_found"],
    ["PATCH", "/api/admin/preview", 405, "method_not_allowed"],
    ["POST", "/api/openapi.json", 405, "method_not_allowed"],
    ["PROPFIND", "/api/admin/tools", 405, "method_not_allowed"],
  ];
  for (const [method, path, status, code] of asked) {
    const answer = await fetch(server.baseUrl + path, { method });
    expect([answer.status, answer.headers.get("content-type")], path).toEqual([status, "application/problem+json"]);
    const { request_id: requestId, ...problem } = (await answer.json()) as Record<string, unknown>;
    expect(problem, path).toMatchObject({ status, code });
    expect(answer.headers.get("x-request-id"), path).toBe(requestId);
  }
  expect((await fetch(`${server.baseUrl}/nothing`)).headers.get("content-type")).toContain("text/html");
});

test("the gateway's metrics include those of the app, with a label", async ({ admin, server }) => {
  const scrape = async () => readScrape(await (await fetch(`${server.baseUrl}/api/metrics`)).text());
  const calculate = { tool: "builtin:calculate", status: "succeeded" };
  const before = await scrape();
  const tool_id = "builtin:calculate";
  const body = { arguments: { expression: "6*7" } };
  const tried = await admin.request.post(`/api/admin/tools/${encodeURIComponent(tool_id)}/try`, {
    headers: { origin: server.baseUrl },
    data: { ...body, agent: "support-bot" },
  });
  expect(tried.status(), await tried.text()).toBe(200);
  const called = await fetch(`${server.baseUrl}/api/agents/tools/call`, {
    method: "POST",
    headers: { authorization: `Bearer ${server.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ tool_id, ...body }),
  });
  expect(called.status).toBe(200);
  const after = await scrape();
  for (const door of ["try", "rest"]) {
    const labels = { ...calculate, door };
    const risen = after.value("agent_tool_calls_total", labels) - before.value("agent_tool_calls_total", labels);
    expect(risen, door).toBeGreaterThanOrEqual(1);
  }
});
