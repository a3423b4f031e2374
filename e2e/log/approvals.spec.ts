import { askAdmin, callAsBot } from "@/e2e/support/admin-api";
import { expect, open, test } from "@/e2e/support/fixtures";
import type { ServerUnderTest } from "@/e2e/support/server";
import type { Row } from "@/lib/resources";
import type { ToolRow } from "@/lib/resources/tool";

// A call that waits for an approval: listed, answered, and the answer that its agent gets.

const TOOL = "builtin:json_query";
const CALL = { tool_id: TOOL, arguments: { document: { total: 42 }, expression: "total" } };

interface Called {
  readonly call_id: string;
  readonly status: string;
  readonly error?: { readonly code: string; readonly message: string };
}

async function requireApproval(server: ServerUnderTest, requiresApproval: boolean): Promise<void> {
  const path = `tools/${encodeURIComponent(TOOL)}`;
  const row = await askAdmin<ToolRow>(server, "GET", path);
  const { revision, createdAt: _created, updatedAt: _updated, definitionHash: _hash, ...input } = row;
  await askAdmin(server, "PUT", path, { ...input, requiresApproval }, { "if-match": `"${revision}"` });
}

async function setAgentEnabled(server: ServerUnderTest, name: string, enabled: boolean): Promise<void> {
  const row = await askAdmin<Row<"agents">>(server, "GET", `agents/${name}`);
  const { revision, createdAt: _created, updatedAt: _updated, ...input } = row;
  await askAdmin(server, "PUT", `agents/${name}`, { ...input, enabled }, { "if-match": `"${revision}"` });
}

async function readCall(server: ServerUnderTest, id: string): Promise<Called> {
  const headers = { authorization: `Bearer ${server.apiKey}` };
  const response = await fetch(`${server.baseUrl}/api/agents/calls/${id}?wait=20`, { headers });
  return (await response.json()) as Called;
}

test.beforeEach(async ({ afterwards, server }) => {
  await requireApproval(server, true);
  afterwards(() => requireApproval(server, false));
});

test("a call waits in the list, is approved by key, and runs", async ({ admin, server }) => {
  const { call_id: id, status } = await callAsBot<Called>(server, CALL);
  expect(status).toBe("awaiting_approval");
  await open(admin, "/admin/approvals");
  await expect(admin.getByRole("navigation").getByRole("link", { name: "Approvals" })).toContainText("waiting");
  await open(admin, `/admin/approvals/${id}`);
  await expect(admin.getByRole("region", { name: "Call" })).toContainText('"total": 42');
  await expect(admin.getByRole("timer").first()).toContainText("left");
  await admin.keyboard.press("a");
  const dialog = admin.getByRole("dialog", { name: `Approve ${TOOL}` });
  const reason = dialog.getByLabel("Reason");
  await reason.pressSequentially("Looked at it.");
  await admin.keyboard.press("Control+a");
  await admin.keyboard.press("Delete");
  await expect(reason).toHaveValue("");
  await admin.keyboard.press("Control+z");
  await expect(reason, "Ctrl-Z brings back a cleared reason").toHaveValue("Looked at it.");
  let answers = 0;
  admin.on("request", (request) => (answers += request.url().endsWith("/approve") ? 1 : 0));
  await dialog.getByRole("button", { name: "Cancel" }).press("Control+Enter");
  await reason.press("Control+Enter");
  await expect(admin.getByRole("region", { name: "Call" })).toContainText(`by ${server.adminEmail}`);
  expect(answers, "Ctrl-Enter on Cancel confirms nothing").toBe(1);
  expect((await readCall(server, id)).status).toBe("succeeded");
});

test("an answer in the list that arrives on another page opens no panel there", async ({ admin, server }) => {
  const { call_id: id } = await callAsBot<Called>(server, CALL);
  let release = () => {};
  const left = new Promise<void>((resolve) => (release = resolve));
  await admin.route(`**/api/admin/approvals/${id}/approve`, async (route) => {
    await left;
    await route.continue();
  });
  await open(admin, "/admin/approvals");
  const row = admin.getByRole("row").filter({ has: admin.locator(`a[href$="${id}"]`) });
  await row.getByRole("button", { name: `Approve ${TOOL}` }).click();
  const dialog = admin.getByRole("dialog", { name: `Approve ${TOOL}` });
  await dialog.getByRole("button", { name: "Approve call" }).click();
  await admin.keyboard.press("Escape");
  await admin.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Tools" }).click();
  await expect(admin).toHaveURL(/\/admin\/tools$/);
  release();
  await expect(admin.getByText(`Approved ${TOOL}`)).toBeVisible();
  await expect(admin).toHaveURL(/\/admin\/tools$/);
});

test("a call is approved by shortcut from its peek panel", async ({ admin, server }) => {
  const { call_id: id } = await callAsBot<Called>(server, CALL);
  await open(admin, `/admin/approvals?peek=${id}`);
  await expect(admin.getByRole("dialog", { name: TOOL }).getByRole("button", { name: "Approve" })).toBeVisible();
  await admin.keyboard.press("a");
  await expect(admin.getByRole("dialog", { name: `Approve ${TOOL}` }).getByLabel("Reason")).toBeFocused();
  await admin.keyboard.press("Control+Enter");
  await expect.poll(async () => (await readCall(server, id)).status).toBe("succeeded");
});

test("the stop of an agent or a source counts its waiting calls, and their approval says what would refuse them", async ({
  admin,
  server,
  afterwards,
}) => {
  const { call_id: id } = await callAsBot<Called>(server, CALL);
  const { agent } = await askAdmin<{ agent: string }>(server, "GET", `approvals/${id}`);
  await open(admin, `/admin/agents/${agent}`);
  await admin.getByRole("button", { name: "Stop…" }).click();
  const stopping = admin.getByRole("dialog", { name: `Stop ${agent}` });
  const waits = /calls? waits? for approval\. If a person approves (it|one) while/;
  await expect(stopping).toContainText(new RegExp(`${waits.source} they are paused`));
  await stopping.getByText("Disable agent", { exact: true }).first().click();
  await expect(stopping).toContainText(new RegExp(`${waits.source} the agent is disabled`));
  await stopping.getByRole("button", { name: "Cancel" }).click();
  await admin.getByRole("button", { name: "Pause calls" }).click();
  const pausing = admin.getByRole("dialog", { name: "Pause calls" });
  await pausing.getByText("One source", { exact: true }).click();
  await pausing.getByRole("combobox", { name: "Source" }).fill("builtin");
  await admin.getByRole("option", { name: /^builtin/ }).click();
  await expect(pausing).toContainText(waits);
  await pausing.getByRole("button", { name: "Cancel" }).click();
  afterwards(() => askAdmin(server, "DELETE", `pause?scope=agent&name=${agent}`));
  await askAdmin(server, "PUT", "pause", { scope: "agent", name: agent, reason: "Looking into it." });
  await open(admin, `/admin/approvals/${id}`);
  const paused = `Calls by the agent ${agent} are paused. If you approve the call now, Quartermaster refuses it.`;
  await expect(admin.getByRole("region", { name: "Call" })).toContainText(paused);
  await admin.keyboard.press("a");
  const dialog = admin.getByRole("dialog", { name: `Approve ${TOOL}` });
  await expect(dialog).toContainText(paused);
  await expect(dialog.getByRole("link", { name: "Open the agent" })).toHaveAttribute("href", `/admin/agents/${agent}`);
  await setAgentEnabled(server, agent, false);
  afterwards(() => setAgentEnabled(server, agent, true));
  await open(admin, `/admin/approvals/${id}`);
  const call = admin.getByRole("region", { name: "Call" });
  await expect(call).toContainText(
    `The agent ${agent} is disabled. If you approve the call now, Quartermaster refuses it.`,
  );
  await expect(call).not.toContainText("can no longer sign in");
});

test("a call that the rules no longer allow says so before its approval, and what became of it afterwards", async ({
  admin,
  server,
  afterwards,
}) => {
  const { call_id: id } = await callAsBot<Called>(server, CALL);
  const { policies } = await askAdmin<{ policies: string[] }>(server, "GET", `approvals/${id}`);
  const setMode = async (name: string, mode: string) => {
    const row = await askAdmin<Record<string, unknown>>(server, "GET", `policies/${name}`);
    const { revision, createdAt: _created, updatedAt: _updated, ...input } = row;
    await askAdmin(server, "PUT", `policies/${name}`, { ...input, mode }, { "if-match": `"${String(revision)}"` });
  };
  for (const name of policies) {
    afterwards(() => setMode(name, "enforce"));
    await setMode(name, "observe");
  }
  await open(admin, `/admin/approvals/${id}`);
  const call = admin.getByRole("region", { name: "Call" });
  const why = "The rules no longer allow this call: not in a granted group.";
  await expect(call).toContainText(why);
  await admin.keyboard.press("a");
  await expect(admin.getByRole("dialog", { name: `Approve ${TOOL}` })).toContainText(why);
  await admin.keyboard.press("Control+Enter");
  await expect(admin.getByText(`Approved, but Quartermaster refuses ${TOOL}`).first()).toBeVisible();
  await expect(call).toContainText("Quartermaster refused the call after the approval: Not in a granted group");
  await expect(admin.getByRole("complementary", { name: "Decision" })).toContainText(
    "These steps explain the request.",
  );
});

test("an auditor can only look", async ({ auditor, server }) => {
  const { call_id: id } = await callAsBot<Called>(server, CALL);
  await open(auditor, `/admin/approvals/${id}`);
  await expect(auditor.getByText("An administrator or an editor must answer it.")).toBeVisible();
  await expect(auditor.getByRole("button", { name: "Approve" })).toHaveCount(0);
});

test("the inbox counts what waits when its entry is pointed at, so that it opens where something waits", async ({
  admin,
  server,
}) => {
  await open(admin, "/admin/overview");
  await callAsBot<Called>(server, CALL);
  const counted = admin.waitForResponse(/\/api\/admin\/attention$/);
  const entry = admin.getByRole("navigation", { name: "Main" }).getByRole("link", { name: /^Approvals/ });
  await entry.hover();
  await counted;
  await expect(entry).toHaveAttribute("href", "/admin/approvals");
});

test("on a phone, the list shows what is approved beside the answer, and nothing is beyond the edge", async ({
  editor,
  server,
}) => {
  await callAsBot<Called>(server, CALL);
  await editor.setViewportSize({ width: 390, height: 844 });
  await open(editor, "/admin/approvals?status=waiting");
  const row = editor.getByRole("row").filter({ hasText: TOOL }).first();
  await expect(row.getByRole("button", { name: "Approve" })).toBeInViewport({ ratio: 1 });
  await expect(row.getByText(/min left/).first()).toBeVisible();
  await expect(editor.locator(".scroll-fade[data-more-after]").filter({ has: row })).toHaveCount(0);
  // No panel covers the list after an answer.
  await row.getByRole("button", { name: "Refuse" }).click();
  await editor.getByRole("dialog").getByLabel("Reason").fill("Not today.");
  await editor.getByRole("dialog").getByRole("button", { name: "Refuse" }).click();
  await expect(editor.getByText(`Refused ${TOOL}`)).toBeVisible();
  await expect(editor.getByRole("dialog")).toHaveCount(0);
  await expect(editor).not.toHaveURL(/peek=/);
});

test("a refusal tells the agent why", async ({ editor, server }) => {
  const { call_id: id } = await callAsBot<Called>(server, CALL);
  await open(editor, `/admin/approvals/${id}`);
  // A person who may answer sees the call and the reasons for its grant on one page.
  await expect(editor.getByRole("region", { name: "Call" })).toContainText('"total": 42');
  await expect(editor.getByRole("complementary", { name: "Decision" })).toContainText("Granted through");
  await editor.getByRole("button", { name: "Refuse" }).click();
  const dialog = editor.getByRole("dialog", { name: `Refuse ${TOOL}` });
  await dialog.getByLabel("Reason").fill("Not on a Friday.");
  await dialog.getByRole("button", { name: "Refuse" }).click();
  await expect(editor.getByRole("region", { name: "Call" })).toContainText("Not on a Friday.");
  const refused = await readCall(server, id);
  expect([refused.status, refused.error?.code]).toEqual(["denied", "approval_denied"]);
  expect(refused.error?.message).toContain("Not on a Friday.");
});

test("several calls that wait are refused together, each shown with its arguments", async ({ admin, server }) => {
  const made = [await callAsBot<Called>(server, CALL), await callAsBot<Called>(server, CALL)];
  await open(admin, "/admin/approvals?status=waiting");
  for (const { call_id: id } of made) await admin.getByRole("checkbox", { name: `Select ${id}` }).check();
  await admin.getByRole("button", { name: "Refuse 2…" }).click();
  const dialog = admin.getByRole("dialog", { name: "Refuse 2 calls" });
  await expect(dialog.getByRole("list", { name: "Calls to refuse" }).getByText('"total":42')).toHaveCount(2);
  await dialog.getByLabel("Reason").fill("Sent in error.");
  await dialog.getByRole("button", { name: /^Refuse 2 calls/ }).click();
  await expect(admin.getByText("Refused 2 calls", { exact: true })).toBeVisible();
  for (const { call_id: id } of made)
    expect(await readCall(server, id)).toMatchObject({ status: "denied", error: { code: "approval_denied" } });
});
