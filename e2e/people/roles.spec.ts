import { Client } from "pg";
import { callAsBot } from "@/e2e/support/admin-api";
import { expect, open, test } from "@/e2e/support/fixtures";

// A role sees read-only what it may not write, and does not see what it may not read.

test("an auditor lands in the log, reads everything and changes nothing", async ({ auditor }) => {
  await open(auditor, "/");
  await expect(auditor).toHaveURL(/\/admin\/executions/);
  await open(auditor, "/admin/policies");
  await expect(auditor.getByRole("link", { name: "support-staff", exact: true })).toBeVisible();
  await expect(auditor.getByRole("link", { name: "New access policy" })).toHaveCount(0);
  await expect(auditor.getByRole("switch")).toHaveCount(0);
  await open(auditor, "/admin/policies/support-staff");
  await expect(auditor.getByLabel("Description")).not.toBeEditable();
  await expect(auditor.getByText("Your role, auditor, can read this but not change it.")).toBeVisible();
  await expect(auditor.getByRole("button", { name: "Add condition" })).toHaveCount(0);
  await expect(auditor.getByRole("region", { name: "Unsaved changes" })).toHaveCount(0);
});

test("an auditor sees stored values, also of a row whose edit waits since an earlier role", async ({
  auditor,
  server,
}) => {
  const database = new Client({ connectionString: server.databaseUrl });
  await database.connect();
  const { rows } = await database.query<{ id: string }>(`select id from person where email = 'auditor@example.com'`);
  await database.end();
  const edit = { resource: "policies", id: "support-staff", isNew: false, before: {}, after: { description: "mine" } };
  await open(auditor, "/admin/policies");
  await auditor.evaluate(([key, edits]) => window.localStorage.setItem(key, edits), [
    `qm:${rows[0]?.id}:change-set`,
    JSON.stringify([edit]),
  ] as const);
  await open(auditor, "/admin/policies/support-staff");
  await expect(auditor.getByLabel("Description")).not.toHaveValue("mine");
  await expect(auditor.getByText(/change set/)).toHaveCount(0);
});

test("an auditor reads a state machine, and the page sends no forbidden request", async ({ auditor }) => {
  await open(auditor, "/admin/machines/ticket-desk");
  await expect(auditor.getByRole("heading", { name: "ticket-desk", level: 1 })).toBeVisible();
  await auditor.waitForLoadState("networkidle"); // Any refused request is a console error, which fails a journey.
});

test("an auditor at a form's address gets a read-only form", async ({ auditor }) => {
  await open(auditor, "/admin/policies/new");
  await expect(auditor.getByRole("button", { name: "Create access policy" })).toHaveCount(0);
});

test("an editor writes policies, and sees no access tokens and no bodies of calls", async ({ editor, server }) => {
  const { call_id: id } = await callAsBot<{ call_id: string }>(server, {
    tool_id: "builtin:calculate",
    arguments: { expression: "20 + 22" },
  });
  await open(editor, "/admin/policies");
  await expect(editor.getByRole("link", { name: "New access policy" })).toBeVisible();
  await expect(editor.getByRole("navigation").getByRole("link", { name: "Access tokens" })).toHaveCount(0);
  await open(editor, `/admin/executions/${id}`);
  await expect(editor.getByRole("heading", { name: "builtin:calculate", level: 1 })).toBeVisible();
  await expect(editor.getByText("Arguments and results are visible to administrators and auditors.")).toBeVisible();
  await expect(editor.getByText("20 + 22")).toHaveCount(0);
  await expect(editor.getByRole("link", { name: "Open in preview" })).toHaveCount(0);
});

test("an editor at the tokens' address sees whom to ask", async ({ editor }) => {
  await open(editor, "/admin/tokens");
  await expect(editor.getByText("No access")).toBeVisible();
});

test("an editor completes the first call although only admins manage keys", async ({ editor }) => {
  await open(editor, "/admin/start");
  const key = editor.getByRole("listitem").filter({ has: editor.getByRole("heading", { name: "Create its API key" }) });
  await expect(key).toContainText(/Only an administrator can do this|has made a call/);
  await open(editor, "/admin/agents");
  await expect(editor.getByRole("link", { name: "New agent" })).toBeVisible();
  await expect(editor.getByRole("link", { name: "API keys" })).toHaveCount(0);
});

test("an auditor reads the bodies of a call", async ({ auditor, server }) => {
  const { call_id: id } = await callAsBot<{ call_id: string }>(server, {
    tool_id: "builtin:calculate",
    arguments: { expression: "19 + 4" },
  });
  await open(auditor, `/admin/executions/${id}`);
  await expect(auditor.getByRole("region", { name: "arguments" })).toContainText("19 + 4");
  await expect(auditor.getByRole("region", { name: "result" })).toContainText("23");
});
