import { askAdmin, callAsBot } from "@/e2e/support/admin-api";
import { expect, open, test } from "@/e2e/support/fixtures";

// The overview: what went through at a glance, and the way from every figure to its calls.

test.beforeEach(async ({ server }) => {
  await callAsBot(server, { tool_id: "builtin:calculate", arguments: { expression: "2 + 3" } });
  await callAsBot(server, { tool_id: "support:refund_order", arguments: { order_id: "O-5001", amount: 7000 } });
});

test("figures link to their calls in the same time range", async ({ admin }) => {
  await open(admin, "/admin/overview");
  await expect(admin.getByRole("link", { name: /^Calls/ })).toContainText(/\d/);
  await admin.getByText("Last hour", { exact: true }).click();
  await admin.getByRole("link", { name: /^Refused \d/ }).click();
  await expect(admin).toHaveURL(/\/admin\/executions\?status=denied&range=hour/);
  const rows = admin.getByRole("table", { name: "Executions" }).getByRole("row");
  await expect(rows.filter({ hasText: "support:refund_order" }).first()).toBeVisible();
  await expect(rows.filter({ hasText: "succeeded" })).toHaveCount(0);
  await admin.goBack();
  await expect(admin).toHaveURL(/\/admin\/overview\?range=hour/);
  await expect(admin.getByRole("radio", { name: "Last hour" })).toBeChecked();
});

test("the overview counts the findings of each severity that the page Findings lists", async ({
  admin,
  server,
  removeAfterwards,
}) => {
  removeAfterwards("agents/e2e-noted");
  // The profile of this agent leads to notes, which are no warnings.
  await askAdmin(server, "POST", "agents", { name: "e2e-noted", profile: "scheduled" });
  const { total } = await askAdmin<{ total: number }>(server, "GET", "findings?severity=info&limit=1");
  expect(total).toBeGreaterThan(1);
  await open(admin, "/admin/overview");
  const problems = admin.getByRole("list", { name: "Problems in the rules" });
  await expect(problems.getByRole("link", { name: /\d warnings?$/ })).toBeVisible();
  await problems.getByRole("link", { name: `${total} notes`, exact: true }).click();
  await expect(admin).toHaveURL(/\/admin\/findings\?severity=info$/);
});

test("the note of the demo appears together with the figures and never pushes them down", async ({ admin }) => {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await admin.route("**/api/admin/demo", async (route) => {
    await released;
    await route.continue();
  });
  const figures = admin.waitForResponse(/\/api\/admin\/overview/);
  await open(admin, "/admin/overview");
  await figures;
  await expect(admin.getByRole("status", { name: "Loading" })).toBeVisible();
  await expect(admin.getByRole("link", { name: /^Calls/ })).toBeHidden();
  release();
  await expect(admin.getByRole("region", { name: "Demo data" })).toBeVisible();
  await expect(admin.getByRole("link", { name: /^Calls/ })).toBeVisible();
});

test("a mark of a chart, and its figure in the table, link to the calls of that bucket", async ({ admin }) => {
  await open(admin, "/admin/overview");
  const outcomes = admin.getByRole("region", { name: "Outcomes" });
  await outcomes.getByRole("button", { name: "Outcomes as a table" }).click();
  await outcomes.getByRole("table").getByRole("link").first().click();
  await expect(admin).toHaveURL(/\/admin\/executions\?from=.*&to=/);
  await expect(admin.getByRole("button", { name: "Clear Time" })).toBeVisible();
  await expect(admin.getByRole("table", { name: "Executions" }).getByRole("link").first()).toBeVisible();
  await admin.goBack();
  await outcomes.locator("a[href*='status=succeeded']").last().click();
  await expect(admin).toHaveURL(/\/admin\/executions\?from=.*&to=.*&status=/);
});

test("the top refusals and the sources link onwards, with the keyboard alone", async ({ admin }) => {
  await open(admin, "/admin/overview");
  const refused = admin.getByRole("region", { name: "Top reasons of refusals" });
  await refused
    .getByRole("link", { name: /small-refunds|state|granted/i })
    .first()
    .focus();
  await admin.keyboard.press("Enter");
  await expect(admin).toHaveURL(/\/admin\/executions\?status=denied&reason=/);
  await admin.keyboard.press("g");
  await admin.keyboard.press("y");
  const upstreams = admin.getByRole("region", { name: "Upstream health", exact: true });
  await expect(upstreams.getByRole("link", { name: "builtin" })).toBeVisible();
  // The log has no filter for sent calls, so the page says what the links of its numbers show.
  await expect(upstreams).toContainText("The linked lists also show calls that were not sent.");
});
