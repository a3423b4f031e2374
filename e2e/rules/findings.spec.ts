import { askAdmin } from "@/e2e/support/admin-api";
import { expect, open, test } from "@/e2e/support/fixtures";

// Findings appear in the list, at the row, before a save and after it.

test("a finding is found by filters, and links to its subject", async ({ admin, server }) => {
  await askAdmin(server, "POST", "groups", {
    name: "e2e-nothing",
    description: "",
    selectors: [{ name: "no_such_operation" }],
  });
  // The badges count past the first page of findings: here a page has one.
  await admin.route(/findings\?about=group&limit=5000/, (route, request) =>
    route.continue({ url: request.url().replace("limit=5000", "limit=1") }),
  );
  await open(admin, "/admin/groups?q=e2e-nothing");
  await admin.getByRole("link", { name: "1 warning on e2e-nothing" }).click();
  await expect(admin).toHaveURL(/findings\?about=group&name=e2e-nothing/);
  const rows = admin.getByRole("table", { name: "Findings" }).locator("[data-row]");
  await expect(admin.getByRole("row", { name: /Group selects nothing/ })).toContainText("e2e-nothing");
  await admin.getByRole("button", { name: "Clear Name" }).click();
  await admin.getByRole("searchbox", { name: "Filter findings" }).fill("e2e-nothing");
  await expect(rows).toHaveCount(1);
  await rows.focus();
  await admin.keyboard.press("Enter");
  await expect(admin.getByRole("dialog", { name: "Group selects nothing" })).toContainText("Widen the selector");
  await admin.keyboard.press("Escape");
  await rows.click();
  await expect(admin.getByRole("heading", { name: "e2e-nothing" })).toBeVisible();
  const notice = admin.getByRole("region", { name: "Findings on e2e-nothing" });
  await expect(notice.getByRole("heading")).toHaveText("1 warning");
  await expect(notice).toContainText("No tool matches selector 1");
  await expect(notice).toContainText("Widen the selector");
});

test("a link of a finding on the page of its agent leads to the setting", async ({ admin }) => {
  await open(admin, "/admin/agents/support-bot");
  await admin.getByRole("link", { name: "Open its settings" }).click();
  await expect(admin.getByRole("switch", { name: "The server keeps the state" })).toBeFocused();
});

test("notes fold away beside other findings, and are shown alone", async ({ admin, server, removeAfterwards }) => {
  const note = admin.getByRole("row", { name: /Profile entry matches nothing/ }).first();
  // Only a profile that an agent names is examined.
  removeAfterwards("agents/e2e-scheduled");
  await askAdmin(server, "POST", "agents", { name: "e2e-scheduled", profile: "scheduled" });
  await open(admin, "/admin/findings");
  const fold = admin.getByRole("button", { name: /^Notes/ });
  await expect(fold).toHaveAttribute("aria-expanded", "false");
  await expect(note).toHaveCount(0);
  await fold.click();
  await expect(note).toBeVisible();
  await open(admin, "/admin/findings?severity=info");
  await expect(note).toBeVisible();
  await expect(fold).toHaveCount(0);
});

test("alike warnings fold under one line with their number", async ({ admin, server, removeAfterwards }) => {
  const names = ["e2e-alike-1", "e2e-alike-2", "e2e-alike-3"];
  removeAfterwards(...names.map((name) => `groups/${name}`));
  for (const name of names)
    await askAdmin(server, "POST", "groups", { name, description: "", selectors: [{ source: name }] });
  await open(admin, "/admin/findings");
  const rows = admin.getByRole("row", { name: /e2e-alike-/ });
  // These three, and those that other journeys left.
  const fold = admin.getByRole("button", { name: /^Warnings: Group selects nothing \d+$/ });
  await expect(fold).toHaveAttribute("aria-expanded", "false");
  const count = Number(/\d+$/.exec((await fold.textContent()) ?? "")?.[0]);
  expect(count).toBeGreaterThanOrEqual(names.length);
  await expect(rows).toHaveCount(0);
  await fold.click();
  await expect(rows).toHaveCount(names.length);
  await open(admin, "/admin/findings?kind=group_selects_nothing");
  await expect(rows).toHaveCount(names.length);
});

test("a review shows the assertion that would fail, and its page says why", async ({
  admin,
  server,
  removeAfterwards,
}) => {
  const name = "e2e callers may note";
  removeAfterwards("groups/e2e-asserted", "policies/e2e-asserted", `assertions/${encodeURIComponent(name)}`);
  await askAdmin(server, "POST", "groups", {
    name: "e2e-asserted",
    description: "",
    include: [{ tool: "support:add_note" }],
  });
  await askAdmin(server, "POST", "policies", {
    name: "e2e-asserted",
    matchers: [{ claim: "e2e", operator: "equals", value: "asserted" }],
    groups: ["e2e-asserted"],
  });
  await askAdmin(server, "POST", "assertions", {
    name,
    given: { claims: { e2e: "asserted" } },
    expect: { visible: ["support:add_note"] },
  });
  await open(admin, "/admin/policies/e2e-asserted");
  await admin.getByLabel("Description").fill("Off for a while.");
  await admin.getByRole("switch", { name: "Active" }).click();
  await admin.getByRole("button", { name: "Review and save…", exact: true }).click();
  const review = admin.getByRole("dialog");
  await expect(review.getByRole("alert")).toContainText(`An assertion would fail:${name}`);
  await review.getByRole("button", { name: "Save anyway" }).click();
  const notifications = admin.getByRole("region", { name: "Notifications" });
  await expect(notifications.getByText("Saved, but one assertion fails")).toBeVisible();
  await expect(notifications.locator("code").getByText("support:add_note")).toBeVisible();

  await open(admin, "/admin/assertions?q=e2e");
  await expect(admin.getByRole("row", { name: new RegExp(name) })).toContainText("failed");
  await open(admin, `/admin/assertions/${encodeURIComponent(name)}?tab=result`);
  await expect(admin.getByRole("alert").filter({ hasText: "Failed at revision" })).toContainText("support:add_note");
  await admin.getByRole("button", { name: "Preview this caller" }).click();
  await expect(admin).toHaveURL(/\/admin\/preview\?in=/);
  await expect(admin.getByText('"asserted"').first()).toBeVisible();
});

test("a new tool waits in a restricted profile until an administrator accepts it", async ({ admin, server }) => {
  await askAdmin(server, "POST", "sources", { name: "e2e-waiting", kind: "http" });
  await askAdmin(server, "POST", "tools", {
    id: "e2e-waiting:export",
    description: "Exports what it is asked for.",
    inputSchema: { type: "object" },
  });
  await open(admin, "/admin/profiles");
  await admin.getByRole("link", { name: /held back from scheduled/ }).click();
  const row = admin.getByRole("listitem", { name: "e2e-waiting:export" });
  await expect(row).toContainText("new source");
  await row.getByText("Definition", { exact: true }).click();
  await expect(row.getByRole("region", { name: "definition of e2e-waiting:export" })).toContainText("Exports what");
  await row.getByRole("button", { name: "Accept" }).click();
  const dialog = admin.getByRole("dialog", { name: "Accept one tool" });
  await expect(dialog.getByRole("list", { name: "Tools that become visible" })).toContainText("e2e-waiting:export");
  await dialog.getByRole("button", { name: "Accept" }).click();
  await expect(admin.getByText("Accepted 1 tool for scheduled")).toBeVisible();
  await expect(row).toHaveCount(0);
});
