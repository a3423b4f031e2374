import { askAdmin, callAsBot } from "@/e2e/support/admin-api";
import { countClicks } from "@/e2e/support/clicks";
import { expect, open, test, type RemoveAfterwards } from "@/e2e/support/fixtures";
import type { ServerUnderTest } from "@/e2e/support/server";
import type { ToolRow } from "@/lib/resources/tool";

// What people do when they look after agents, each with the most clicks that it may take.

const AGENT = "e2e-task-agent";
const SOURCE = "e2e-task";
const LOOK = `${SOURCE}:look`;

/** Two tools in one group that nobody is granted: the tool alone is a smaller grant than the group. */
async function addTools(server: ServerUnderTest, removeAfterwards: RemoveAfterwards): Promise<void> {
  removeAfterwards(`sources/${SOURCE}`, `tools/${LOOK}`, `tools/${SOURCE}:listen`, `groups/${SOURCE}`);
  await askAdmin(server, "POST", "sources", { name: SOURCE, kind: "script" });
  for (const id of [LOOK, `${SOURCE}:listen`]) {
    const run = { kind: "script", code: "export default () => ({ seen: true });", cpuSeconds: 1 };
    await askAdmin(server, "POST", "tools", { id, description: "Looks.", inputSchema: {}, groups: [], run });
  }
  await askAdmin(server, "POST", "groups", { name: SOURCE, selectors: [{ source: SOURCE }] });
}

test.beforeEach(async ({ server, removeAfterwards }) => {
  removeAfterwards(`agents/${AGENT}`);
  await askAdmin(server, "POST", "agents", { name: AGENT });
});

test("a hidden tool is explained in 2 clicks", async ({ admin }) => {
  const clicks = await countClicks(admin);
  await open(admin, "/admin/overview");
  await admin.keyboard.press("Control+k");
  await admin.keyboard.type("support:refund_order");
  await admin.getByRole("option", { name: /^support:refund_order/ }).click();
  await admin.getByRole("tab", { name: "Access" }).click();
  const caller = admin.getByRole("row").filter({ hasText: "contractor" });
  await expect(caller).toContainText("hidden");
  await expect(caller).toContainText("contractors-move-no-money");
  expect(await clicks()).toBeLessThanOrEqual(2);
});

test("an agent is stopped in 2 clicks", async ({ admin, server }) => {
  const clicks = await countClicks(admin);
  await open(admin, `/admin/agents?q=${AGENT}`);
  await admin.getByRole("switch", { name: `${AGENT} enabled` }).click();
  const dialog = admin.getByRole("dialog", { name: `Disable ${AGENT}` });
  await dialog.getByLabel("Reason").fill("It repeats itself.");
  await dialog.getByRole("button", { name: "Disable" }).click();
  await expect(admin.getByText(`${AGENT} is disabled`)).toBeVisible();
  expect(await askAdmin(server, "GET", `agents/${AGENT}`)).toMatchObject({ enabled: false });
  expect(await clicks()).toBeLessThanOrEqual(2);
});

test("an agent's page stops it in 2 clicks, for a while or by disabling it", async ({ admin, server }) => {
  const name = "e2e-stopped";
  await askAdmin(server, "POST", "agents", { name });
  await open(admin, `/admin/agents/${name}`);
  const clicks = await countClicks(admin);
  await admin.getByRole("button", { name: "Stop…" }).click();
  const dialog = admin.getByRole("dialog", { name: `Stop ${name}` });
  await expect(dialog.getByRole("listitem").filter({ hasText: "Pause calls:" })).toContainText("still signs in");
  await expect(dialog.getByRole("listitem").filter({ hasText: "Disable agent:" })).toContainText("no longer sign in");
  await dialog.getByLabel("Reason").fill("It repeats itself.");
  await dialog.getByRole("button", { name: "Pause calls" }).click();
  await expect(admin.getByText(`Paused calls by the agent ${name}`)).toBeVisible();
  expect(await clicks()).toBeLessThanOrEqual(2);
  await expect(admin.getByRole("note", { name: "Paused" })).toContainText("It repeats itself.");
  await expect(admin.getByRole("button", { name: "Stop…" })).toHaveCount(0);
  await admin.getByRole("button", { name: "Resume calls", exact: true }).click();

  await admin.getByRole("button", { name: "Stop…" }).click();
  await dialog.getByText("Disable agent", { exact: true }).click();
  await dialog.getByLabel("Reason").fill("It is retired.");
  await dialog.getByRole("button", { name: "Disable agent" }).click();
  await expect(admin.getByText(`${name} is disabled`)).toBeVisible();
  expect(await askAdmin(server, "GET", `agents/${name}`)).toMatchObject({ disabledReason: "It is retired." });
});

test("a refusal is granted in 6 clicks, the tool alone", async ({ admin, server, removeAfterwards }) => {
  await addTools(server, removeAfterwards);
  removeAfterwards("groups/only-look", "policies/look-for-support-bot");
  const call = () => callAsBot<{ status: string }>(server, { tool_id: LOOK, arguments: {} });
  expect((await call()).status).toBe("denied");
  const clicks = await countClicks(admin);
  await open(admin, "/admin/overview");
  await admin
    .getByRole("navigation", { name: "Main" })
    .getByRole("link", { name: /^Refusals/ })
    .click();
  await admin.getByRole("row").filter({ hasText: LOOK }).getByRole("link").click();
  await expect(admin.getByRole("region", { name: "Smallest grant" }).getByRole("listitem").first()).toContainText(
    "This tool alone",
  );
  await admin.getByRole("button", { name: "Grant this tool…" }).click();
  const dialog = admin.getByRole("dialog", { name: /^Grant e2e-task:look/ });
  await expect(dialog).toContainText("only-look");
  await expect(dialog.getByRole("region", { name: "Impact of the grant" })).toContainText("look");
  await dialog.getByRole("button", { name: "Grant", exact: true }).click();
  await expect(admin.getByText("Granted", { exact: true })).toBeVisible();
  expect((await call()).status).toBe("succeeded");
  expect((await callAsBot<{ status: string }>(server, { tool_id: `${SOURCE}:listen`, arguments: {} })).status).toBe(
    "denied",
  );
  expect(await clicks()).toBeLessThanOrEqual(6);
});

/** Makes calls of a tool wait for a person, or stops that. */
async function requireApproval(server: ServerUnderTest, id: string, requiresApproval: boolean): Promise<void> {
  const path = `tools/${encodeURIComponent(id)}`;
  const row = await askAdmin<ToolRow>(server, "GET", path);
  const { revision, createdAt: _created, updatedAt: _updated, definitionHash: _hash, ...tool } = row;
  await askAdmin(server, "PUT", path, { ...tool, requiresApproval }, { "if-match": `"${revision}"` });
}

test("a call is approved in 5 clicks, and its result is shown", async ({ admin, afterwards, server }) => {
  const tool = "builtin:json_query";
  await requireApproval(server, tool, true);
  afterwards(() => requireApproval(server, tool, false));
  await callAsBot(server, { tool_id: tool, arguments: { document: { total: 42, of: "task" }, expression: "total" } });
  const clicks = await countClicks(admin);
  await open(admin, "/admin/overview");
  await admin
    .getByRole("navigation", { name: "Main" })
    .getByRole("link", { name: /^Approvals/ })
    .click();
  const call = admin.getByRole("row").filter({ hasText: tool }).filter({ hasText: '"of":"task"' });
  const waiting = call.filter({ hasText: "waiting" });
  await expect(waiting).toBeVisible();
  // On a phone too, the answer is on the screen without scrolling sideways.
  await admin.setViewportSize({ width: 390, height: 844 });
  await expect(waiting.getByRole("button", { name: "Approve" })).toBeInViewport({ ratio: 1 });
  await admin.setViewportSize({ width: 1440, height: 900 });
  const hidden = await admin
    .getByRole("table")
    .evaluate((table) => table.scrollWidth - (table.parentElement?.clientWidth ?? 0));
  expect(hidden).toBeLessThanOrEqual(0);
  await waiting.getByRole("button", { name: "Approve" }).click();
  const dialog = admin.getByRole("dialog", { name: `Approve ${tool}` });
  await expect(dialog.getByRole("region", { name: "arguments", exact: true })).toContainText('"of": "task"');
  await dialog.getByRole("button", { name: "Approve call" }).click();
  const panel = admin.getByRole("dialog", { name: tool, exact: true });
  await expect(panel).toContainText("succeeded");
  await expect(panel).toContainText("42");
  await expect(call.filter({ hasText: "approved" })).toBeVisible();
  expect(await clicks()).toBeLessThanOrEqual(5);
});

test("who changed what is found and taken back in 5 clicks", async ({ admin, server }) => {
  const before = await askAdmin<{ items: { number: number }[] }>(server, "GET", "revisions?limit=1");
  await askAdmin(server, "POST", "groups", { name: "e2e-mistake" });
  const clicks = await countClicks(admin);
  await open(admin, "/admin/overview");
  const navigation = admin.getByRole("navigation", { name: "Main" });
  await navigation.getByRole("button", { name: "Settings" }).click();
  await navigation.getByRole("link", { name: "Configuration" }).click();
  const latest = admin.getByRole("table", { name: "Revisions" }).getByRole("row").nth(1);
  await expect(latest).toContainText("created tool group e2e-mistake");
  await expect(latest).toContainText(server.adminEmail);
  await admin.getByRole("button", { name: `Restore revision ${before.items[0]?.number}` }).click();
  const dialog = admin.getByRole("dialog", { name: /^Restore revision/ });
  await expect(dialog.getByRole("note")).toContainText("This restore deletes 1 object");
  await expect(dialog.getByRole("region", { name: "Impact of the restore" })).toContainText(/caller|call/);
  await dialog.getByRole("button", { name: "Restore", exact: true }).click();
  await expect(admin.getByText(/^Restored revision/)).toBeVisible();
  await expect(askAdmin(server, "GET", "groups/e2e-mistake")).rejects.toThrow("404");
  expect(await clicks()).toBeLessThanOrEqual(5);
});

test("an auditor answers a question with an export in 8 clicks", async ({ auditor, server }) => {
  await callAsBot(server, { tool_id: "support:drop_everything", arguments: { why: "e2e" } });
  const clicks = await countClicks(auditor);
  await open(auditor, "/admin/executions");
  await auditor.getByRole("combobox", { name: "Outcome" }).click();
  await auditor.getByRole("option", { name: "refused" }).click();
  await auditor.getByRole("combobox", { name: "Time" }).click();
  await auditor.getByRole("option", { name: "Last 7 days" }).click();
  await auditor.getByRole("button", { name: "Export", exact: true }).click();
  const dialog = auditor.getByRole("dialog", { name: "Export calls" });
  await dialog.getByRole("switch", { name: "Include arguments and results" }).click();
  const download = auditor.waitForEvent("download");
  await dialog.getByRole("link", { name: /^Export/ }).click();
  const file = await (await download).createReadStream();
  const text = (await file.toArray()).join("");
  const [head = ""] = text.split("\r\n");
  for (const column of ["policies", "approver", "arguments"]) expect(head.split(",")).toContain(column);
  expect(text).toContain('""why"":""e2e""');
  expect(await clicks()).toBeLessThanOrEqual(8);
});

test("an agent gets a key and makes its first call in 9 clicks", async ({ admin, server, removeAfterwards }) => {
  const name = "e2e-task-new";
  removeAfterwards(`agents/${name}`, `api-keys/${name}-key`);
  const clicks = await countClicks(admin);
  await open(admin, "/admin/overview");
  await admin
    .getByRole("navigation", { name: "Main" })
    .getByRole("link", { name: /^Agents/ })
    .click();
  await admin.getByRole("link", { name: "New agent" }).click();
  await admin.getByLabel("Name", { exact: true }).fill(name);
  await admin.getByRole("textbox", { name: "Attributes" }).fill(JSON.stringify({ team: "support" }));
  await admin.getByRole("button", { name: "Create agent" }).click();
  await admin.getByRole("button", { name: "Create API key" }).click();
  await expect(admin.getByLabel("Name", { exact: true })).toHaveValue(`${name}-key`);
  await admin.getByRole("button", { name: /^Create API key/ }).click();
  const dialog = admin.getByRole("dialog", { name: `API key ${name}-key` });
  // The code calls a tool that this agent sees.
  const snippet = dialog.getByRole("region", { name: "Code for curl" });
  await expect(snippet).toContainText("tool_id");
  const code = await snippet.innerText();
  const [, key = ""] = /Bearer (qm_\S+)"/.exec(code) ?? [];
  const [, body = ""] = /-d '(.+)'/.exec(code) ?? [];
  await dialog.getByRole("checkbox").click();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(admin).toHaveURL(new RegExp(`/admin/agents/${name}$`));
  const response = await fetch(`${server.baseUrl}/api/agents/tools/call`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body,
  });
  expect(response.status).toBe(200);
  const { call_id: callId } = (await response.json()) as { call_id: string };
  await open(admin, `/admin/agents/${name}`);
  await expect(admin.getByRole("region", { name: "Last calls" })).toContainText("builtin:calculate");
  const seen = await admin.getByRole("region", { name: "Tools it sees" }).getByText(/^\d+$/).innerText();
  await open(admin, `/admin/agents?q=${name}`);
  await expect(admin.getByRole("link", { name: `${seen} tools: preview as ${name}` })).toBeVisible();
  await open(admin, "/admin/agents?q=support-bot");
  const range = admin.getByRole("link", { name: /^\d+ to \d+ tools by state: preview as support-bot$/ });
  await expect(range).toHaveText(/^\d+–\d+ by state$/);
  expect(callId).not.toBe("");
  expect(await clicks()).toBeLessThanOrEqual(9);
});
