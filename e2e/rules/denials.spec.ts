import { askAdmin, callAsBot } from "@/e2e/support/admin-api";
import { expect, open, test } from "@/e2e/support/fixtures";

// A refusal is found in the inbox, granted by its smallest policy, and resolved.

const TOOL = "e2e-denied:peek";

test.beforeEach(async ({ server, removeAfterwards }) => {
  removeAfterwards("sources/e2e-denied", `tools/${TOOL}`, "groups/e2e-denied", "policies/e2e-denied-for-support-bot");
  const run = { kind: "script", code: "export default () => ({ seen: true });", cpuSeconds: 1 };
  const tool = { id: TOOL, description: "Looks.", inputSchema: { type: "object" }, groups: [], run };
  await askAdmin(server, "POST", "sources", { name: "e2e-denied", kind: "script" });
  await askAdmin(server, "POST", "tools", tool);
  await askAdmin(server, "POST", "groups", { name: "e2e-denied", selectors: [{ source: "e2e-denied" }] });
});

test("a refusal is granted by the policy that the inbox drafts, and its agent calls again", async ({
  admin,
  server,
}) => {
  const call = () => callAsBot<{ status: string }>(server, { tool_id: TOOL, arguments: {} });
  expect((await call()).status).toBe("denied");
  expect((await call()).status).toBe("denied");
  await open(admin, "/admin/denials");
  await expect(admin.getByRole("navigation", { name: "Main" }).getByRole("link", { name: /^Refusals/ })).toContainText(
    "kinds of the last 24 hours",
  );
  await expect(admin.getByText(/^\d+ kinds? of refusal$/)).toBeVisible();
  const row = admin.getByRole("row").filter({ hasText: TOOL });
  await expect(row).toContainText("2");
  await row.getByRole("link").focus();
  await admin.keyboard.press("Enter");
  const peek = admin.getByRole("dialog", { name: `support-bot was refused ${TOOL}` });
  await expect(peek).toContainText("would be refused");
  const grant = peek.getByRole("region", { name: "Smallest grant" });
  await expect(grant).toContainText("the caller gains no other tool");
  await grant.getByRole("button", { name: "Grant this group…" }).click();
  const dialog = admin.getByRole("dialog", { name: "Grant group e2e-denied to support-bot" });
  await expect(dialog.getByRole("region", { name: "Impact of the grant" })).toContainText("peek");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await grant.getByRole("button", { name: "Edit first…" }).click();
  await expect(admin).toHaveURL(/\/admin\/policies\/new\?draft=[\w-]+$/);
  await expect(admin.getByLabel("Name", { exact: true })).toHaveValue("e2e-denied-for-support-bot");
  await admin.getByRole("button", { name: "Create access policy" }).click();
  await expect(admin).toHaveURL(/\/admin\/policies\/e2e-denied-for-support-bot/);
  expect((await call()).status).toBe("succeeded");
  await open(admin, "/admin/denials");
  await row.getByRole("link").click();
  await expect(admin.getByText("would be allowed")).toBeVisible();
});

test("a grant from the page of a refusal also resolves it", async ({ admin, server }) => {
  await callAsBot(server, { tool_id: TOOL, arguments: {} });
  await open(admin, `/admin/denials?tool=${encodeURIComponent(TOOL)}`);
  await admin.getByRole("row").filter({ hasText: TOOL }).getByRole("link").click();
  await admin.getByRole("button", { name: "Grant this group…" }).click();
  await admin.getByRole("dialog").getByRole("button", { name: "Grant", exact: true }).click();
  await expect(admin.getByText("The policy e2e-denied-for-support-bot applies from the next call.")).toBeVisible();
  expect(await askAdmin(server, "GET", "revisions?limit=1")).toMatchObject({ items: [{ note: "grant" }] });
  await expect(admin.getByText("would be allowed", { exact: true })).toBeVisible();
  await expect(admin.getByRole("link", { name: "e2e-denied-for-support-bot" })).toBeVisible();
  await open(admin, `/admin/denials?tool=${encodeURIComponent(TOOL)}`);
  await expect(admin.getByText("No kinds of refusal match")).toBeVisible();
  expect((await callAsBot<{ status: string }>(server, { tool_id: TOOL, arguments: {} })).status).toBe("succeeded");
});

test("several kinds are marked as resolved together, and put back together", async ({
  admin,
  server,
  removeAfterwards,
}) => {
  const other = "e2e-denied:also";
  removeAfterwards(`tools/${other}`);
  const run = { kind: "script", code: "export default () => ({});", cpuSeconds: 1 };
  const tool = { id: other, description: "d", inputSchema: { type: "object" }, groups: [], run };
  await askAdmin(server, "POST", "tools", tool);
  for (const id of [TOOL, other]) await callAsBot(server, { tool_id: id, arguments: {} });
  await open(admin, "/admin/denials?q=e2e-denied");
  await admin.getByRole("checkbox", { name: "Select all" }).first().check();
  await admin.getByRole("button", { name: "Mark 2 resolved" }).click();
  await expect(admin.getByText("Resolved 2 kinds of refusal")).toBeVisible();
  await expect(admin.getByText("No kinds of refusal match")).toBeVisible();
  await open(admin, "/admin/denials?q=e2e-denied&state=handled");
  await admin.getByRole("checkbox", { name: "Select all" }).first().check();
  await admin.getByRole("button", { name: "Reopen 2" }).click();
  await expect(admin.getByText("Reopened 2 kinds of refusal")).toBeVisible();
});

test("a refusal of a tool that is offered on request leads to the policy", async ({
  admin,
  server,
  removeAfterwards,
}) => {
  const [name, offered] = ["e2e-peek-on-request", "e2e-denied:offered"];
  removeAfterwards(`tools/${offered}`, `policies/${name}`);
  const run = { kind: "script", code: "export default () => ({});", cpuSeconds: 1 };
  const tool = { id: offered, description: "d", inputSchema: { type: "object" }, groups: [], run };
  await askAdmin(server, "POST", "tools", tool);
  const offer = { name, effect: "request", maxHours: 8, everyone: true, groups: ["e2e-denied"] };
  await askAdmin(server, "POST", "policies", offer);
  const { call_id: id } = await callAsBot<{ call_id: string }>(server, { tool_id: offered, arguments: {} });
  await open(admin, `/admin/denials/${id}`);
  const cause = admin.getByRole("region", { name: "Cause" });
  await expect(cause).toContainText("A person can grant this tool to this caller for some hours");
  await expect(admin.getByText("cannot be decided")).toHaveCount(0);
  await cause.getByRole("link", { name: `policy ${name}` }).click();
  await expect(admin).toHaveURL(new RegExp(`/admin/policies/${name}$`));
});

test("a grant is announced at the refusal that it answers, not at the next one", async ({
  admin,
  server,
  removeAfterwards,
}) => {
  const other = "e2e-denied:other";
  removeAfterwards(`tools/${other}`);
  const run = { kind: "script", code: "export default () => ({});", cpuSeconds: 1 };
  await askAdmin(server, "POST", "tools", {
    id: other,
    description: "d",
    inputSchema: { type: "object" },
    groups: [],
    run,
  });
  for (const tool of [TOOL, other]) await callAsBot(server, { tool_id: tool, arguments: {} });
  await open(admin, "/admin/denials?q=e2e-denied");
  const row = (tool: string) => admin.getByRole("row").filter({ hasText: tool }).getByRole("link").first();
  const panel = (tool: string) => admin.getByRole("dialog", { name: `support-bot was refused ${tool}` });
  await row(TOOL).focus();
  await admin.keyboard.press("Enter");
  await expect(panel(TOOL)).toContainText("would be refused");
  const [there, back] = (await admin.locator("[data-row]").first().innerText()).includes("peek") ? "jk" : "kj";
  await admin.keyboard.press(there!);
  await expect(panel(other)).toContainText("would be refused");
  await admin.keyboard.press(back!);
  await panel(TOOL).getByRole("button", { name: "Grant this group…" }).click();
  await admin.getByRole("dialog").getByRole("button", { name: "Grant", exact: true }).click();
  await expect(panel(TOOL)).toContainText("You granted it by");
  await expect(admin.getByRole("dialog", { name: /^Grant / })).toHaveCount(0);
  await admin.keyboard.press(there!);
  await expect(panel(other)).toBeVisible();
  await expect(panel(other)).not.toContainText(/You granted it|Granted\./);
});

test("a refusal of arguments shows the condition, and leads to it before a grant that would lift it", async ({
  admin,
  server,
  removeAfterwards,
}) => {
  const tool = "e2e-denied:small";
  removeAfterwards(`tools/${tool}`, "policies/e2e-peek-small");
  const run = { kind: "script", code: "export default () => ({});", cpuSeconds: 1 };
  await askAdmin(server, "POST", "tools", {
    id: tool,
    description: "Small.",
    inputSchema: { type: "object" },
    groups: [],
    run,
  });
  await askAdmin(server, "POST", "policies", {
    name: "e2e-peek-small",
    description: "Small peeks only.",
    everyone: true,
    groups: ["e2e-denied"],
    arguments: [{ claim: "amount", operator: "lte", value: 20 }],
  });
  const { call_id: id } = await callAsBot<{ call_id: string }>(server, { tool_id: tool, arguments: { amount: 21 } });
  await open(admin, `/admin/denials/${id}`);
  const cause = admin.getByRole("region", { name: "Cause" });
  await expect(cause).toContainText("Only when amount is at most 20");
  await expect(cause.getByRole("link", { name: "View the latest call" })).toHaveAttribute(
    "href",
    `/admin/executions/${id}`,
  );
  await cause.getByRole("link", { name: "Open argument conditions" }).click();
  await expect(admin).toHaveURL(/\/admin\/policies\/e2e-peek-small/);
  await expect(admin.getByRole("list", { name: "Argument conditions" }).locator(":focus")).toHaveCount(1);
});

test("a refusal by a limit names the limit and links to its field", async ({ admin, server, removeAfterwards }) => {
  const id = "e2e-denied:daily";
  removeAfterwards(`tools/${id}`);
  const run = { kind: "script", code: "export default () => ({});", cpuSeconds: 1 };
  const tool = { id, description: "Once a day.", inputSchema: { type: "object" }, groups: [], run };
  await askAdmin(server, "POST", "tools", { ...tool, limits: { perDay: 1 } });
  await askAdmin(server, "POST", "policies", {
    name: "e2e-denied-for-support-bot",
    everyone: true,
    groups: ["e2e-denied"],
  });
  for (let calls = 0; calls < 2; calls += 1) await callAsBot(server, { tool_id: id, arguments: {} });
  await open(admin, `/admin/denials?tool=${encodeURIComponent(id)}`);
  const refused = admin.getByRole("row").filter({ hasText: "Limit reached: calls per day of the tool" });
  await refused.getByRole("link").click();
  await expect(admin.getByText("A limit refused these calls. A grant would not change that.")).toBeVisible();
  await expect(admin.getByText("Now set: 1 call a day.")).toBeVisible();
  await admin.getByRole("link", { name: `Limits of ${id}` }).click();
  await expect(admin.getByLabel("Calls per day").first()).toHaveValue("1");
});

test("a handled refusal leaves the inbox, can be restored, and returns when it happens again", async ({
  editor,
  server,
}) => {
  await callAsBot(server, { tool_id: TOOL, arguments: {} });
  await open(editor, `/admin/denials?tool=${encodeURIComponent(TOOL)}`);
  const rows = editor.getByRole("row").filter({ hasText: TOOL });
  await rows.getByRole("link").click();
  await editor.getByRole("button", { name: "Mark resolved" }).click();
  await open(editor, `/admin/denials?tool=${encodeURIComponent(TOOL)}`);
  await expect(editor.getByText("No kinds of refusal match")).toBeVisible();
  await editor.getByRole("combobox", { name: "Status" }).click();
  await editor.getByRole("option", { name: "resolved" }).click();
  await expect(rows).toHaveCount(1);
  await callAsBot(server, { tool_id: TOOL, arguments: {} });
  await open(editor, `/admin/denials?tool=${encodeURIComponent(TOOL)}`);
  await expect(rows).toHaveCount(1);
});

test("an auditor reads refusals and cannot grant them", async ({ auditor, server }) => {
  await callAsBot(server, { tool_id: TOOL, arguments: {} });
  await open(auditor, `/admin/denials?tool=${encodeURIComponent(TOOL)}`);
  await auditor.getByRole("row").filter({ hasText: TOOL }).getByRole("link").click();
  await expect(auditor.getByRole("region", { name: "Smallest grant" })).toBeVisible();
  await expect(auditor.getByRole("button", { name: "Edit first…" })).toHaveCount(0);
  await expect(auditor.getByRole("button", { name: "Mark resolved" })).toHaveCount(0);
});
