import { askAdmin, callAsBot } from "@/e2e/support/admin-api";
import { expect, open, test } from "@/e2e/support/fixtures";

// Tools and groups: set and unset fields, and the rules that match tools.

test("selectors, inclusion and exclusion show their effect before they are saved", async ({ admin, server }) => {
  await askAdmin(server, "POST", "groups", {
    name: "e2e-readers",
    description: "",
    selectors: [{ source: "support", requiredTags: ["read"] }],
  });
  await open(admin, "/admin/groups/e2e-readers");
  const matching = admin.getByRole("region", { name: "Matching tools" });
  const member = (id: string) =>
    matching.getByRole("list", { name: "Members" }).getByRole("listitem").filter({ hasText: id });
  await expect(member("support:get_order")).toContainText("source support, tag read");
  await expect(
    matching.getByRole("list", { name: "Near misses" }).getByRole("listitem").filter({ hasText: "support:add_note" }),
  ).toContainText("does not have the tag read");

  await admin.getByRole("combobox", { name: "Include a tool" }).fill("calculate");
  await admin.getByRole("option", { name: /builtin:calculate/ }).click();
  await expect(member("builtin:calculate")).toContainText("included");
  await expect(matching).toContainText("+1 since saved");

  await admin.getByRole("combobox", { name: "Exclude a tool" }).fill("get_order");
  await admin.getByRole("option", { name: /support:get_order/ }).click();
  await expect(member("support:get_order")).toHaveCount(0);
  await admin.getByLabel("Reason for support:get_order").fill("orders are private");
  await admin.getByRole("button", { name: "Review and save…", exact: true }).click();
  const review = admin.getByRole("dialog");
  await expect(review).toContainText("builtin:calculate");
  await expect(review).toContainText("support:get_order (orders are private)");
  await review.getByRole("button", { name: "Save changes" }).click();
  await expect(admin.getByText("Saved tool group e2e-readers")).toBeVisible();
  expect(await askAdmin(server, "GET", "groups/e2e-readers")).toMatchObject({
    include: [{ tool: "builtin:calculate" }],
    exclude: [{ tool: "support:get_order", reason: "orders are private" }],
  });
});

test("a tool's other runner keeps its text, and blocks no save", async ({ admin, server, removeAfterwards }) => {
  const id = "e2e-runners:one";
  removeAfterwards("sources/e2e-runners", `tools/${id}`);
  await askAdmin(server, "POST", "sources", { name: "e2e-runners", kind: "script" });
  await askAdmin(server, "POST", "tools", {
    id,
    description: "A tool of one journey.",
    inputSchema: { type: "object" },
    run: { kind: "script", code: "export default (args) => args;", cpuSeconds: 1 },
  });
  await open(admin, `/admin/tools/${encodeURIComponent(id)}?tab=run`);
  const runner = admin.getByRole("radiogroup", { name: "Runner" });
  const seconds = admin.getByLabel("CPU time in seconds");
  await seconds.fill("3");
  await runner.getByText("HTTP request", { exact: true }).click();
  await admin.getByLabel("Parameters", { exact: true }).fill("[{");
  await runner.getByText("Script", { exact: true }).click();
  await expect(seconds).toHaveValue("3");
  await admin.getByRole("button", { name: "Review and save…", exact: true }).click();
  await expect(admin.getByRole("dialog", { name: `Review changes to ${id}` })).toContainText("3");
});

test("not set, none and these are three different memberships", async ({ admin, server }) => {
  await ownTool(server, "stated");
  await open(admin, `/admin/tools/${encodeURIComponent("e2e-own:stated")}`);
  const groups = admin.getByRole("radiogroup", { name: "Assigned groups" });
  await expect(groups.getByRole("radio", { name: "Not set" })).toBeChecked();
  for (const [mode, sentence, stored] of [
    ["None", "groups: not set → none", []],
    ["Not set", "groups: none → not set", null],
  ] as const) {
    await groups.getByText(mode, { exact: true }).click();
    await admin.getByRole("button", { name: "Review and save…", exact: true }).click();
    const review = admin.getByRole("dialog", { name: "Review changes" });
    await expect(review).toContainText(sentence);
    await review.getByRole("button", { name: "Save changes" }).click();
    await expect(review).toBeHidden();
    await expect.poll(() => askAdmin(server, "GET", "tools/e2e-own%3Astated")).toMatchObject({ groups: stored });
  }
});

test("a tool's page shows its groups and the callers that see it, with reasons", async ({ admin }) => {
  await open(admin, `/admin/tools/${encodeURIComponent("support:get_order")}`);
  await expect(admin.getByRole("definition").filter({ hasText: "support-read" })).toContainText(
    "support-read (matches a selector)",
  );
  await open(admin, `/admin/tools/${encodeURIComponent("support:refund_order")}?tab=access`);
  const rows = admin.getByRole("table", { name: "Who sees support:refund_order" }).getByRole("row");
  await expect(rows.filter({ hasText: /^supervisor/ })).toContainText("visible");
  const contractor = rows.filter({ hasText: /^contractor/ });
  await expect(contractor).toContainText("hidden");
  await contractor.getByRole("link", { name: "Open preview" }).click();
  await expect(admin).toHaveURL(/\/admin\/preview\?persona=contractor&tool=support(:|%3A)refund_order/);
  await expect(admin.getByRole("link", { name: "Open tool" })).toBeVisible();
});

test("the review of a tool counts the calls that would wait for approval or reach a limit", async ({
  admin,
  server,
}) => {
  const call = { tool_id: "support:lookup_customer", arguments: { query: "ada@example.com" } };
  await callAsBot(server, call);
  expect(await callAsBot(server, call)).toMatchObject({ status: "succeeded" });
  const impactOf = async (part: string, toggle: string) => {
    await open(admin, `/admin/tools/${encodeURIComponent(call.tool_id)}?tab=${part}`);
    await admin.getByRole("switch", { name: toggle }).first().click();
    if (part === "limits") await admin.getByLabel("Calls", { exact: true }).first().fill("1");
    await admin.getByRole("button", { name: "Review and save…", exact: true }).click();
    return admin.getByRole("dialog").getByRole("region", { name: "Impact of these changes" });
  };
  await expect(await impactOf("approval", "Require approval")).toContainText(/recent calls? would wait for approval/);
  await admin.getByRole("dialog").getByRole("button", { name: "Keep editing" }).click();
  await admin.getByRole("button", { name: "Discard" }).click();
  await expect(await impactOf("limits", "Limit the call rate")).toContainText(/recent calls? would reach a limit/);
});

test("a switched-off tool is hidden from the next list on, and Undo brings it back", async ({ admin, server }) => {
  await ownTool(server, "switched");
  await open(admin, "/admin/tools?q=switched");
  const toggle = admin.getByRole("switch", { name: "e2e-own:switched enabled" });
  await toggle.click();
  const dialog = admin.getByRole("dialog", { name: "Disable e2e-own:switched" });
  await dialog.getByRole("button", { name: "Disable" }).click();
  await expect(dialog).toContainText("Enter the reason");
  await dialog.getByLabel("Reason").fill("It answers twice");
  await dialog.getByRole("button", { name: "Disable" }).click();
  await expect(toggle).not.toBeChecked();
  await expect(admin.getByText("It answers twice")).toBeVisible();
  await expect.poll(() => reasonFor(server, "e2e-own:switched")).toBe("tool_disabled");
  await admin.getByRole("button", { name: "Undo" }).click();
  await expect(toggle).toBeChecked();
  await expect.poll(() => reasonFor(server, "e2e-own:switched")).toBe("not hidden");
});

test.describe("a switched-off tool that leaves the list", () => {
  // The browser notes the refused Undo.
  test.use({ expectedError: /status of 409/ });

  test("is announced with Undo, and an Undo on another page that fails says so", async ({ admin, server }) => {
    await ownTool(server, "leaving");
    let answer = () => {};
    const allowed = new Promise<void>((resolve) => (answer = resolve));
    await open(admin, "/admin/tools?q=leaving&enabled=true");
    const toggle = admin.getByRole("switch", { name: "e2e-own:leaving enabled" });
    await expect(toggle).toBeChecked();
    // The list answers before the slowest query of the page.
    await admin.route(/\/api\/admin\/findings/, async (route) => {
      await allowed;
      await route.continue();
    });
    await toggle.click();
    const dialog = admin.getByRole("dialog", { name: "Disable e2e-own:leaving" });
    await dialog.getByLabel("Reason").fill("It answers twice");
    await dialog.getByRole("button", { name: "Disable" }).click();
    await expect(toggle).toHaveCount(0);
    // Somebody else changes the tool before the Undo is offered, which is for eight seconds only.
    const path = "tools/e2e-own:leaving";
    const { revision, createdAt: _c, updatedAt: _u, definitionHash: _h, ...tool } = await askAdmin(server, "GET", path);
    await askAdmin(server, "PUT", path, { ...tool, guidance: "Ask first." }, { "if-match": `"${String(revision)}"` });
    answer();
    await expect(admin.getByText("e2e-own:leaving is disabled")).toBeVisible();
    await admin.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Tool groups" }).click();
    await expect(admin.getByRole("heading", { name: "Tool groups" })).toBeVisible();
    await admin.getByRole("button", { name: "Undo" }).click();
    const notifications = admin.getByRole("region", { name: "Notifications" });
    await expect(notifications.getByText("e2e-own:leaving was not changed")).toBeVisible();
  });
});

async function ownTool(server: Parameters<typeof askAdmin>[0], operation: string): Promise<void> {
  const sources = await askAdmin<{ total: number }>(server, "GET", "sources?q=e2e-own");
  if (sources.total === 0) await askAdmin(server, "POST", "sources", { name: "e2e-own", kind: "http" });
  await askAdmin(server, "POST", "tools", {
    id: `e2e-own:${operation}`,
    description: "A tool of one journey.",
    inputSchema: { type: "object" },
  });
}

async function reasonFor(server: Parameters<typeof askAdmin>[0], toolId: string): Promise<string> {
  const answer = await askAdmin<{ hidden: { toolId: string; reason: string }[] }>(server, "POST", "preview", {
    claims: { team: "support" },
  });
  return answer.hidden.find((tool) => tool.toolId === toolId)?.reason ?? "not hidden";
}
