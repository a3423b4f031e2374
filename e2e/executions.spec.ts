import { callAsBot } from "@/e2e/admin-api";
import { expect, open, test } from "@/e2e/fixtures";

// The log: every call, allowed or refused, with its reason.

test("calls are found by tool, outcome and text, and the address holds the view", async ({ admin, server }) => {
  await callAsBot(server, { tool_id: "builtin:calculate", arguments: { expression: "1 + 1" } });
  await callAsBot(server, { tool_id: "support:refund_order", arguments: { order_id: "O-5001", amount: 5000 } });
  await open(admin, "/admin/executions");
  const rows = admin.getByRole("table", { name: "Executions" }).getByRole("row");
  await expect(rows.filter({ hasText: "builtin:calculate" }).first()).toContainText("succeeded");
  await admin.getByRole("combobox", { name: "Outcome" }).click();
  await admin.getByRole("option", { name: "denied" }).click();
  await expect(admin).toHaveURL(/status=denied/);
  await expect(rows.filter({ hasText: "builtin:calculate" })).toHaveCount(0);
  await expect(rows.filter({ hasText: "support:refund_order" }).first()).toBeVisible();
  await admin.getByLabel("Filter calls").fill("nothing is called like that");
  await expect(admin.getByText("No calls match")).toBeVisible();
  await admin.getByRole("button", { name: "Clear filters" }).click();
  await expect(rows.filter({ hasText: "builtin:calculate" }).first()).toBeVisible();
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
  await admin.getByRole("button", { name: "Copy as curl" }).click();
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

test("a call to a tool that nobody has says that none of this name existed", async ({ admin, server }) => {
  const { call_id: id } = await callAsBot<{ call_id: string }>(server, { tool_id: "support:fly_away", arguments: {} });
  await open(admin, `/admin/executions/${id}`);
  await expect(admin.getByRole("heading", { name: "support:fly_away", level: 1 })).toBeVisible();
  await expect(admin.getByText("No tool of this name existed")).toBeVisible();
});
