import type { Page } from "@playwright/test";
import { askAdmin, callAsBot } from "@/e2e/support/admin-api";
import { expect, open, test } from "@/e2e/support/fixtures";
import type { ServerUnderTest } from "@/e2e/support/server";

// The log: every call, allowed or refused, with its reason.

test("calls are found by tool, outcome and text, and the URL holds the view", async ({ admin, server }) => {
  await callAsBot(server, { tool_id: "builtin:calculate", arguments: { expression: "1 + 1" } });
  await callAsBot(server, { tool_id: "support:refund_order", arguments: { order_id: "O-5001", amount: 5000 } });
  await open(admin, "/admin/executions");
  const rows = admin.getByRole("table", { name: "Executions" }).getByRole("row");
  await expect(rows.filter({ hasText: "builtin:calculate" }).first()).toContainText("succeeded");
  await admin.getByRole("combobox", { name: "Outcome" }).click();
  await admin.getByRole("option", { name: "refused" }).click();
  await expect(admin).toHaveURL(/status=denied/);
  await expect(rows.filter({ hasText: "builtin:calculate" })).toHaveCount(0);
  await expect(rows.filter({ hasText: "support:refund_order" }).first()).toBeVisible();
  await admin.getByLabel("Filter calls").fill("O-5001");
  await expect(admin.getByText("No calls match")).toBeVisible();
  await expect(admin.getByText("It does not search arguments or claims.")).toBeVisible();
  await admin.getByRole("button", { name: "Clear filters" }).click();
  await expect(rows.filter({ hasText: "builtin:calculate" }).first()).toBeVisible();
  await admin.getByRole("button", { name: "More filters" }).click();
  await expect(admin.getByRole("combobox", { name: "Tool", exact: true })).toBeFocused();
  await admin.keyboard.type("support:refund_order");
  await admin.getByRole("option", { name: "support:refund_order" }).first().click();
  await admin.getByRole("button", { name: "Apply" }).click();
  await expect(admin).toHaveURL(/\?tool=support:refund_order$/);
  await expect(rows.filter({ hasText: "builtin:calculate" })).toHaveCount(0);
  await expect(rows.filter({ hasText: "support:refund_order" }).first()).toBeVisible();
  await admin.getByRole("button", { name: "Clear Tool" }).click();
  await expect(rows.filter({ hasText: "builtin:calculate" }).first()).toBeVisible();
  await admin.getByRole("button", { name: "More filters" }).click();
  await expect(admin.getByRole("combobox", { name: "Side effects" })).toHaveText("Any");
  await admin.getByRole("combobox", { name: "Side effects" }).click();
  await admin.getByRole("option", { name: "Yes" }).click();
  await admin.getByRole("button", { name: "Apply" }).click();
  await expect(admin.getByText("Side effects: Yes")).toBeVisible();
  await expect(rows.filter({ hasText: "builtin:calculate" })).toHaveCount(0);
});

test("a call shows its decision, its policies and its bodies, and opens in the preview", async ({ admin, server }) => {
  const { call_id: id } = await callAsBot<{ call_id: string }>(server, {
    tool_id: "builtin:calculate",
    arguments: { expression: "6 * 7" },
  });
  await open(admin, `/admin/executions/${id}`);
  await expect(admin.getByRole("region", { name: "result" })).toContainText("42");
  await expect(admin.getByRole("link", { name: "support-bot", exact: true })).toBeVisible();
  const decision = admin.getByRole("complementary", { name: "Decision" });
  await expect(decision.getByText("Visible", { exact: true })).toBeVisible();
  await expect(decision.getByRole("link", { name: "policy support-staff" }).first()).toBeVisible();
  await admin.getByRole("button", { name: "Copy curl to call again" }).click();
  const curl = await admin.evaluate(() => navigator.clipboard.readText());
  expect(curl).toContain("/api/agents/tools/call");
  expect(curl).toContain("$");
  expect(curl).not.toContain(server.apiKey);
  await admin.getByRole("link", { name: "Open in preview" }).click();
  await expect(admin.getByRole("combobox", { name: "Caller" })).toContainText("A logged call");
  await expect(
    admin.getByRole("complementary", { name: "Explanation" }).getByRole("heading", { name: "builtin:calculate" }),
  ).toBeVisible();
});

test("an address in a result is text, never a link", async ({ admin, server }) => {
  const document = { uri: "javascript:alert(1)", text: "[here](javascript:alert(1)) and https://a.example/" };
  const { call_id: id } = await callAsBot<{ call_id: string }>(server, {
    tool_id: "builtin:json_query",
    arguments: { document: [{ type: "resource_link", name: "n", ...document }], expression: "@" },
  });
  await open(admin, `/admin/executions/${id}`);
  const result = admin.getByRole("region", { name: "result" });
  await expect(result).toContainText("javascript:alert(1)");
  await expect(result.getByRole("link")).toHaveCount(0);
  await expect(admin.locator('[href^="javascript:" i], [src^="javascript:" i]')).toHaveCount(0);
});

test("a call to an unknown tool says that no tool had this name", async ({ admin, server }) => {
  const { call_id: id } = await callAsBot<{ call_id: string }>(server, { tool_id: "support:fly_away", arguments: {} });
  await open(admin, `/admin/executions/${id}`);
  await expect(admin.getByRole("heading", { name: "support:fly_away", level: 1 })).toBeVisible();
  await expect(admin.getByText("No tool had this name")).toBeVisible();
});

test("a refusal names the rule that refused it, in the list and on the call's page, with a link", async ({
  admin,
  server,
  removeAfterwards,
}) => {
  const name = "e2e-refused";
  const run = { kind: "script", code: "export default () => 1;", cpuSeconds: 1 };
  const tool = { id: `${name}:act`, description: "Acts.", inputSchema: { type: "object" }, groups: [], run };
  removeAfterwards(`sources/${name}`, `tools/${tool.id}`, `groups/${name}`, `groups/${name}-empty`);
  await askAdmin(server, "POST", "sources", { name, kind: "script" });
  await askAdmin(server, "POST", "tools", tool);
  for (const group of [name, `${name}-empty`]) {
    const selectors = group === name ? [{ source: name }] : [];
    await askAdmin(server, "POST", "groups", { name: group, selectors });
  }
  const deny = { everyone: true, effect: "deny" };
  const policies = [
    { name, everyone: true, groups: [name] },
    { ...deny, name: `${name}-first`, priority: 2, groups: [name] },
    { ...deny, name: `${name}-second`, priority: 1, groups: [name] },
    { ...deny, name: `${name}-other`, priority: 3, groups: [`${name}-empty`] },
  ];
  removeAfterwards(...policies.map((policy) => `policies/${policy.name}`));
  for (const policy of policies) await askAdmin(server, "POST", "policies", policy);
  const call = { tool_id: tool.id, arguments: {} };
  const { call_id: id } = await callAsBot<{ call_id: string }>(server, call);

  await open(admin, `/admin/executions?q=${id}`);
  const row = admin.getByRole("table", { name: "Executions" }).getByRole("row").nth(1);
  await expect(row).toContainText(`Refused by a policy: ${name}-first +1`);
  await row.getByRole("link", { name: `${name}-first` }).click();
  await expect(admin).toHaveURL(new RegExp(`/admin/policies/${name}-first$`));
  await open(admin, `/admin/executions/${id}`);
  await expect(admin.getByRole("region", { name: "Call", exact: true })).toContainText(
    `Refused by a policy: ${name}-first +1`,
  );
});

test("an old call shows its original decision, today's differences, and the calls of its script", async ({
  admin,
  server,
  removeAfterwards,
}) => {
  const code = 'export default (args, { callTool }) => callTool("calculate", { expression: "6 * 7" });';
  const run = { kind: "script", code, cpuSeconds: 1 };
  const tool = { id: "e2e-then:ask", description: "Asks another.", inputSchema: { type: "object" }, groups: [], run };
  removeAfterwards("sources/e2e-then", `tools/${tool.id}`, "groups/e2e-then", "policies/e2e-then");
  await askAdmin(server, "POST", "sources", { name: "e2e-then", kind: "script" });
  await askAdmin(server, "POST", "tools", tool);
  await askAdmin(server, "POST", "groups", { name: "e2e-then", selectors: [{ source: "e2e-then" }] });
  await askAdmin(server, "POST", "policies", { name: "e2e-then", everyone: true, groups: ["e2e-then"] });
  const made = await callAsBot<{ call_id: string; status: string; revision: number }>(server, {
    tool_id: tool.id,
    arguments: {},
  });
  expect(made.status).toBe("succeeded");
  await askAdmin(server, "DELETE", "policies/e2e-then");
  const later = await callAsBot<{ status: string }>(server, { tool_id: tool.id, arguments: {} });
  expect(later.status).toBe("denied");

  await open(admin, `/admin/tools/${encodeURIComponent(tool.id)}?tab=history`);
  await expect(admin.getByRole("table", { name: `Changes of ${tool.id}` })).toContainText("created");
  await admin.getByRole("tab", { name: "Activity" }).click();
  const calls = admin.getByRole("table", { name: `Calls of ${tool.id}` });
  await expect(calls.getByRole("row")).toHaveCount(3);
  await calls.getByRole("link", { name: made.call_id }).click();

  const decision = admin.getByRole("complementary", { name: "Decision" });
  await expect(decision).toContainText(`As decided under revision ${made.revision}`);
  await expect(decision.getByText("Visible", { exact: true })).toBeVisible();
  await decision.getByRole("button", { name: "Check with current rules" }).click();
  await expect(decision.getByRole("status")).toContainText(
    new RegExp(`Now, under revision (?!${made.revision}:)\\d+: hidden, not in a granted group`),
  );
  await expect(decision.getByRole("status")).toContainText("give the logged result");
  await expect(decision.getByText("Visible", { exact: true })).toBeVisible();

  await admin.getByRole("link", { name: "1 call", exact: true }).click();
  await expect(admin).toHaveURL(new RegExp(`parent=${made.call_id}`));
  await admin.getByRole("link", { name: "builtin:calculate" }).click();
  await admin.getByRole("link", { name: made.call_id }).click();
  await expect(admin.getByRole("heading", { name: tool.id, level: 1 })).toBeVisible();
});

test("the histogram narrows the log, by dragging and with the keys, and the chip widens it again", async ({
  admin,
  server,
}) => {
  await callAsBot(server, { tool_id: "builtin:calculate", arguments: { expression: "1 + 1" } });
  await open(admin, "/admin/executions");
  const time = admin.getByRole("slider", { name: /^Calls over time/ });
  await expect(time).toHaveAttribute("aria-valuetext", /calls?: /);
  await time.focus();
  await admin.keyboard.press("Home");
  await admin.keyboard.press("Shift+End");
  await admin.keyboard.press("Enter");
  await expect(admin).toHaveURL(/from=.*&to=/);
  await expect(admin.getByRole("table", { name: "Executions" }).getByRole("link").first()).toBeVisible();
  await admin.getByRole("button", { name: "Clear Time" }).click();
  await expect(admin).not.toHaveURL(/from=/);
  const box = await time.boundingBox();
  if (box === null) throw new Error("The histogram has no place on the page.");
  await admin.mouse.move(box.x + box.width * 0.1, box.y + box.height / 2);
  await admin.mouse.down();
  await admin.mouse.move(box.x + box.width * 0.6, box.y + box.height / 2, { steps: 3 });
  await admin.mouse.up();
  await expect(admin).toHaveURL(/from=.*&to=/);
});

test("a click on Clear filters is not lost while the search and the histogram are still on their way", async ({
  admin,
  server,
}) => {
  await callAsBot(server, { tool_id: "builtin:calculate", arguments: { expression: "1 + 1" } });
  let answer = () => {};
  const mayAnswer = new Promise<void>((resolve) => (answer = resolve));
  let held = 0;
  await admin.route(/executions\/histogram\?.*q=nothing/, async (route) => {
    held += 1;
    await mayAnswer;
    await route.continue();
  });
  await open(admin, "/admin/executions?tool=builtin:calculate");
  await expect(admin.getByRole("slider", { name: /^Calls over time/ })).toBeVisible();
  const search = admin.getByLabel("Filter calls");
  await search.fill("nothing is called like tha");
  const clear = admin.getByRole("button", { name: "Clear filters" });
  await expect(clear).toBeVisible();
  const before = await clear.boundingBox();
  if (before === null) throw new Error("The button has no place on the page.");
  await admin.mouse.move(before.x + before.width / 2, before.y + before.height / 2);
  await search.press("t");
  await admin.mouse.down();
  const counted = admin.waitForResponse((response) => response.url().includes("q=nothing+is+called+like+that"));
  await expect.poll(() => held).toBeGreaterThan(0);
  answer();
  await counted;
  await expect(admin.getByRole("slider", { name: /^Calls over time/ })).toHaveCount(0);
  await admin.mouse.up();
  await expect(admin).toHaveURL(/\/admin\/executions$/);
  await expect(
    admin.getByRole("table", { name: "Executions" }).getByRole("row").filter({ hasText: "builtin:calculate" }).first(),
  ).toBeVisible();
});

/** Makes a call, and shows it in the log with further columns; the menu of columns stays open. */
async function showColumns(page: Page, server: ServerUnderTest, columns: readonly string[]): Promise<void> {
  const { call_id: id } = await callAsBot<{ call_id: string }>(server, {
    tool_id: "builtin:calculate",
    arguments: { expression: "6 * 700" },
  });
  await open(page, `/admin/executions?q=${id}`);
  await page.getByRole("button", { name: "Columns and density" }).click();
  for (const name of columns) await page.getByRole("menuitemcheckbox", { name, exact: true }).click();
}

test("an editor's columns show policies and approver, but no arguments", async ({ editor, server }) => {
  await showColumns(editor, server, ["Policies", "Approver"]);
  await expect(editor.getByRole("menuitemcheckbox", { name: "Arguments" })).toHaveCount(0);
  await editor.keyboard.press("Escape");
  await expect(editor.getByRole("table", { name: "Executions" }).getByRole("row").nth(1)).toContainText(
    "support-staff",
  );
});

test("an auditor's columns show arguments too, and the export has them", async ({ auditor, server }) => {
  await showColumns(auditor, server, ["Policies", "Approver", "Arguments"]);
  await auditor.keyboard.press("Escape");
  const row = auditor.getByRole("table", { name: "Executions" }).getByRole("row").nth(1);
  await expect(row).toContainText('{"expression":"6 * 700"}');
  await auditor.getByRole("button", { name: "Export", exact: true }).click();
  const dialog = auditor.getByRole("dialog", { name: "Export calls" });
  await expect(dialog.getByRole("switch", { name: "Include arguments and results" })).toBeChecked();
  const download = auditor.waitForEvent("download");
  await dialog.getByRole("link", { name: /^Export/ }).click();
  const file = await (await download).createReadStream();
  const [head = "", line = ""] = (await file.toArray()).join("").split("\r\n");
  expect(head).toContain("policies");
  expect(head).toContain("approver");
  expect(head).toContain("arguments");
  expect(line).toContain("6 * 700");
});

test("the attempts of a disabled agent are one row with their count, which the filters find", async ({
  admin,
  server,
  removeAfterwards,
}) => {
  // The processes write these counts once a minute.
  test.slow();
  const name = "e2e-disabled";
  removeAfterwards(`agents/${name}`, `api-keys/${name}-key`);
  await askAdmin(server, "POST", "agents", { name });
  const { key } = await askAdmin<{ key: string }>(server, "POST", "api-keys", {
    name: `${name}-key`,
    agent: name,
    expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
  });
  await open(admin, `/admin/agents?q=${name}`);
  await admin.getByRole("switch", { name: `${name} enabled` }).click();
  const dialog = admin.getByRole("dialog", { name: `Disable ${name}` });
  await dialog.getByLabel("Reason").fill("Its key leaked");
  await dialog.getByRole("button", { name: "Disable" }).click();
  await expect(admin.getByText(`${name} is disabled`)).toBeVisible();
  const ask = () => fetch(`${server.baseUrl}/api/agents/tools`, { headers: { authorization: `Bearer ${key}` } });
  for (const { status } of await Promise.all([ask(), ask(), ask()])) expect(status).toBe(401);

  const query = `agent=${name}&status=denied`;
  const counted = () => askAdmin<{ items: unknown[] }>(server, "GET", `executions?${query}`);
  await expect.poll(async () => (await counted()).items.length, { timeout: 80_000 }).toBe(1);
  await open(admin, `/admin/executions?${query}`);
  const row = admin.getByRole("table", { name: "Executions" }).getByRole("row").filter({ hasText: name });
  await expect(row).toContainText("3 attempts, agent disabled: Its key leaked");
  await row.getByRole("link").first().press("Control+Enter");
  await expect(admin.getByRole("heading", { name: "3 attempts, agent disabled: Its key leaked" })).toBeVisible();
  await expect(admin.getByText("not sealed yet").or(admin.getByText("sealed", { exact: true }))).toBeVisible();
  await admin.getByRole("region", { name: "Refused attempts" }).getByRole("link", { name }).click();
  await expect(admin.getByRole("region", { name: "Last calls" })).toContainText("3 attempts, agent disabled");
  await admin.getByRole("region", { name: "API keys" }).getByRole("link", { name: "Show all" }).click();
  await expect(admin.getByRole("row", { name: new RegExp(`${name}-key`) })).toBeVisible();
  await expect(admin.getByRole("row", { name: /support-bot/ })).toHaveCount(0);
});

test("following the log pauses while a person reads, counts new calls, and continues", async ({ admin, server }) => {
  const call = () => callAsBot(server, { tool_id: "builtin:calculate", arguments: { expression: "6 * 7" } });
  await call();
  await open(admin, "/admin/executions");
  const table = admin.getByRole("table", { name: "Executions" });
  const first = table.getByRole("row").nth(1).getByRole("link");
  await expect(first).toBeVisible();
  await admin.getByRole("button", { name: "Live" }).click();
  const { call_id: followed } = await callAsBot<{ call_id: string }>(server, {
    tool_id: "support:fly_away",
    arguments: {},
  });
  await expect(first).toHaveAttribute("data-row", followed);
  await first.focus();
  await admin.keyboard.press("Enter");
  const note = admin.getByRole("status").filter({ hasText: "Paused" });
  await expect(note).toContainText("Paused, 0 new");
  await call();
  await expect(note).toContainText("Paused, 1 new");
  await expect(first).toHaveAttribute("data-row", followed);
  await note.getByRole("button", { name: "Resume" }).click();
  await expect(note).toHaveCount(0);
  await expect(first).toContainText("builtin:calculate");
});
