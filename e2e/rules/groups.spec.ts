import { askAdmin } from "@/e2e/support/admin-api";
import { expect, open, test } from "@/e2e/support/fixtures";

// A group created from the filters of the list of tools.

test("a filter of the tools becomes a group's selector, as far as selectors can express it", async ({
  admin,
  server,
}) => {
  await open(admin, "/admin/tools");
  await expect(admin.locator("[data-row]").first()).toBeVisible();
  await expect(admin.getByRole("button", { name: "Group these" })).toHaveCount(0);
  await open(admin, "/admin/tools?source=support&tag=read&q=order");
  await admin.getByRole("button", { name: "Group these" }).click();
  const dialog = admin.getByRole("dialog", { name: "A selector cannot express this filter completely" });
  await expect(dialog).toContainText("Text: a search covers ids");
  await expect(dialog).toContainText("tools with source support and tag read");
  await dialog.getByRole("button", { name: "Create group without these filters" }).click();

  await expect(admin.getByRole("heading", { name: "New tool group" })).toBeVisible();
  const selector = admin.getByRole("listitem", { name: "Selector 1" });
  await expect(selector.getByLabel("Source")).toHaveValue("support");
  const { total } = await askAdmin<{ total: number }>(server, "GET", "tools?source=support&tag=read");
  const matching = admin.getByRole("region", { name: "Matching tools" });
  await expect(matching).toContainText(new RegExp(`^Matching tools${total} of`));
  await admin.getByLabel("Name", { exact: true }).fill("e2e-filtered");
  await admin.getByRole("button", { name: "Create tool group" }).click();
  await expect(admin.getByText("Created tool group e2e-filtered")).toBeVisible();
  expect(await askAdmin(server, "GET", "groups/e2e-filtered")).toMatchObject({
    selectors: [{ source: "support", requiredTags: ["read"] }],
  });
  await open(admin, "/admin/groups");
  const row = admin.getByRole("row", { name: /e2e-filtered/ });
  await expect(row.getByRole("cell", { name: String(total), exact: true })).toBeVisible();
});

test("the list of groups says where the members come from: selectors, included and assigned tools", async ({
  admin,
  server,
}) => {
  await askAdmin(server, "POST", "groups", {
    name: "e2e-mixed",
    selectors: [{ source: "support", requiredTags: ["read"] }],
    include: [{ tool: "support:add_note" }],
  });
  await open(admin, "/admin/groups");
  const members = (name: string) =>
    admin.getByRole("row").filter({ has: admin.getByRole("cell", { name, exact: true }) });
  await expect(members("e2e-mixed")).toContainText("tools with source support and tag read; 1 tool included");
  await expect(members("tickets")).toContainText(/\d+ tools assigned to this group/);
});

test("ticked tools begin a new group", async ({ admin }) => {
  await open(admin, "/admin/tools?q=order");
  const ids = ["support:get_order", "support:refund_order"];
  for (const id of ids) await admin.getByRole("checkbox", { name: `Select ${id}` }).check();
  await admin.getByRole("toolbar", { name: "Selected tools" }).getByRole("button", { name: "More" }).click();
  await admin.getByRole("menuitem", { name: "New group…" }).click();
  await expect(admin.getByRole("heading", { name: "New tool group" })).toBeVisible();
  await expect(admin.getByRole("region", { name: "Matching tools" })).toContainText(/^Matching tools2 of/);
});

test("Enter takes the only name that begins with the text; a pattern and other typed text stay", async ({ admin }) => {
  await open(admin, "/admin/groups/new");
  await admin.getByRole("button", { name: "Add selector" }).click();
  const source = admin.getByRole("listitem", { name: "Selector 1" }).getByLabel("Source");
  await source.fill("supp");
  await expect(admin.getByRole("option")).toHaveText([/^support/]);
  await source.press("Enter");
  await expect(source).toHaveValue("support");
  await source.fill("supp*");
  await source.press("Enter");
  await expect(source).toHaveValue("supp*");
  // Typing a name that fits nothing, below an open list, keeps what is typed.
  await source.fill("");
  await source.click();
  await expect(admin.getByRole("option", { name: /^support/ })).toBeVisible();
  await source.pressSequentially("zz-new", { delay: 60 });
  await expect(admin.getByRole("listbox")).toBeHidden();
  await source.press("Tab");
  await expect(source).toHaveValue("zz-new");
  await open(admin, "/admin/policies/new");
  await admin.getByRole("button", { name: "Add condition" }).click();
  const condition = admin.getByRole("listitem", { name: "Condition 1" });
  await condition.getByLabel("Claim path").fill("team");
  await condition.getByLabel("Claim path").press("Enter");
  const value = condition.getByLabel("Value");
  await value.fill("supp");
  await admin.getByRole("option", { name: "support", exact: true }).click();
  await expect(value).toHaveValue("support");
  await value.fill("sup");
  await value.press("Escape");
  await expect(value).toHaveValue("sup");
});

test("a group in use is renamed together with the rows that name it, which the review names", async ({
  admin,
  server,
}) => {
  await askAdmin(server, "POST", "groups", { name: "e2e-old-name", selectors: [{ name: "get_order" }] });
  const policy = { matchers: [{ claim: "team", operator: "equals", value: "e2e" }], groups: ["e2e-old-name"] };
  await askAdmin(server, "POST", "policies", { name: "e2e-names-it", ...policy });
  await open(admin, "/admin/groups/e2e-old-name");
  await admin.getByLabel("Name", { exact: true }).fill("e2e-new-name");
  await admin.getByRole("button", { name: "Review and save…", exact: true }).click();
  const dialog = admin.getByRole("dialog");
  await expect(dialog).toContainText("These use it and get the new name:access policy e2e-names-it");
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await expect(admin).toHaveURL(/\/admin\/groups\/e2e-new-name$/);
  expect(await askAdmin(server, "GET", "policies/e2e-names-it")).toMatchObject({ groups: ["e2e-new-name"] });
});
