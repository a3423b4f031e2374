import { expect, test } from "@/e2e/fixtures";
import { DOOR_PROMISES } from "@/test/support/door-promises";
import { readScrape } from "@/test/support/prometheus-text";

// Our server with Next, held to what every door promises (test/api/doors.test.ts has the other two).

for (const [promise, hold] of Object.entries(DOOR_PROMISES))
  test(`our server: ${promise}`, async ({ server }) => {
    await hold({ send: (path, init) => fetch(server.baseUrl + path, init), key: server.apiKey });
  });

test("what Next's build counts is in the same metrics as what the front's bundle does", async ({ admin, server }) => {
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
