import { askAdmin, callAsBot } from "@/e2e/support/admin-api";
import { expect, open, test } from "@/e2e/support/fixtures";

// Access policies, as the pattern of every resource: create, change, conflict, delete.

const matchers = [{ claim: "team", operator: "equals", value: "nobody-real" }];

test("an error is shown at its field, and nothing is saved", async ({ admin, server }) => {
  await open(admin, "/admin/policies/new");
  await admin.getByLabel("Name", { exact: true }).fill("Not a slug!");
  await admin.getByRole("button", { name: "Create access policy" }).click();
  await expect(admin.getByRole("alert").filter({ hasText: /\w/ }).first()).toBeVisible();
  await expect(admin.getByLabel("Name", { exact: true })).toHaveAttribute("aria-invalid", "true");
  expect(await askAdmin(server, "GET", "policies?q=slug")).toMatchObject({ total: 0 });
});

test("a condition without a value is refused at the field", async ({ admin, server }) => {
  await askAdmin(server, "POST", "policies", { name: "e2e-empty", matchers, groups: ["tickets"] });
  await open(admin, "/admin/policies/e2e-empty");
  const condition = admin.getByRole("listitem", { name: "Condition 1" });
  await condition.getByRole("checkbox", { name: "Ignore case" }).click();
  await condition.getByLabel("Value").fill("");
  await admin.getByRole("button", { name: "Review and save…", exact: true }).click();
  await expect(condition).toContainText("Enter a value");
  await expect(condition.getByLabel("Value")).toHaveAttribute("aria-invalid", "true");
  expect(await askAdmin(server, "GET", "policies/e2e-empty")).toMatchObject({ matchers });
});

test("a field that gets the focus is not behind the bar with the button that saves", async ({ admin }) => {
  await admin.setViewportSize({ width: 1440, height: 520 });
  await open(admin, "/admin/policies/new");
  await admin.getByLabel("Name", { exact: true }).focus();
  const isCovered = () =>
    admin.evaluate(() => {
      const [bar, field] = [document.querySelector('[aria-label="Unsaved changes"]'), document.activeElement];
      if (bar === null || field === null || field.closest("section") === null) return false;
      return field.getBoundingClientRect().bottom > bar.getBoundingClientRect().top;
    });
  for (let tabs = 0; tabs < 15; tabs += 1) {
    await admin.keyboard.press("Tab");
    expect(await isCovered(), `after ${tabs + 1} tabs`).toBe(false);
  }
});

test("a change is read as a sentence before it is saved", async ({ admin, server }) => {
  await askAdmin(server, "POST", "policies", { name: "e2e-review", matchers, groups: ["tickets"] });
  await open(admin, "/admin/policies/e2e-review");
  await admin.getByRole("listitem", { name: "Condition 1" }).getByLabel("Value").fill("elsewhere");
  await admin.getByRole("radiogroup", { name: "Effect" }).getByText("Deny").click();
  // The impact of the draft, which the page shows beside the form.
  await expect(admin.getByRole("region", { name: "Impact", exact: true })).toHaveAttribute("aria-busy", "false");
  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await admin.route(/\/api\/admin\/impact$/, async (route) => {
    await held;
    await route.continue();
  });
  await admin.getByRole("button", { name: "Review and save…", exact: true }).click();
  const review = admin.getByRole("dialog");
  await expect(review).toContainText("team equals elsewhere");
  await expect(review).toContainText("effect: “allow” → “deny”");
  const save = review.getByRole("button", { name: "Save changes" });
  await expect(save, "the impact is not shown yet").toBeDisabled();
  answer();
  await save.click();
  await expect(admin.getByText("Saved access policy e2e-review")).toBeVisible();
  await expect(admin.getByRole("region", { name: "Unsaved changes" })).toHaveCount(0);
  expect(await askAdmin(server, "GET", "policies/e2e-review")).toMatchObject({
    effect: "deny",
    matchers: [{ value: "elsewhere" }],
  });
});

test("a renamed row has a new page", async ({ admin, server }) => {
  await askAdmin(server, "POST", "policies", { name: "e2e-before", matchers, groups: ["tickets"] });
  await open(admin, "/admin/policies/e2e-before");
  await admin.getByLabel("Name", { exact: true }).fill("e2e-after");
  await admin.getByRole("button", { name: "Review and save…", exact: true }).click();
  await admin.getByRole("dialog").getByRole("button", { name: "Save changes" }).click();
  await expect(admin).toHaveURL(/\/admin\/policies\/e2e-after$/);
  await expect(admin.getByLabel("Name", { exact: true })).toHaveValue("e2e-after");
});

test("a click does not leave unsaved changes", async ({ admin, server }) => {
  await askAdmin(server, "POST", "policies", { name: "e2e-leave", matchers, groups: ["tickets"] });
  await open(admin, "/admin/policies/e2e-leave");
  await admin.getByLabel("Description").fill("half a thought");
  await admin.getByRole("navigation").getByRole("link", { name: "Tools", exact: true }).click();
  const question = admin.getByRole("dialog", { name: "Leave without saving?" });
  await question.getByRole("button", { name: "Stay" }).click();
  await expect(admin.getByLabel("Description")).toHaveValue("half a thought");
  await admin.getByRole("navigation").getByRole("link", { name: "Tools", exact: true }).click();
  await question.getByRole("button", { name: "Leave" }).click();
  await expect(admin).toHaveURL(/\/admin\/tools/);
});

test("a switch in the list shows the stored state until the change is saved, and can be undone", async ({
  admin,
  server,
}) => {
  await askAdmin(server, "POST", "policies", { name: "e2e-switch", matchers, groups: ["tickets"] });
  await open(admin, "/admin/policies?q=e2e-switch");
  const toggle = admin.getByRole("switch", { name: "e2e-switch active" });
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await admin.route(/\/api\/admin\/policies\/e2e-switch\b/, async (route) => {
    await released;
    await route.continue();
  });
  await toggle.press("Space");
  await expect(toggle).toHaveAttribute("aria-busy", "true");
  await expect(toggle).toBeChecked();
  await toggle.press("Space");
  release();
  await expect(toggle).not.toBeChecked();
  await expect(toggle).not.toHaveAttribute("aria-busy");
  await expect(toggle).toBeFocused();
  await expect.poll(() => askAdmin(server, "GET", "policies/e2e-switch")).toMatchObject({ active: false });
  await admin.getByRole("button", { name: "Undo" }).click();
  await expect(toggle).toBeChecked();
  await expect.poll(() => askAdmin(server, "GET", "policies/e2e-switch")).toMatchObject({ active: true });
});

test("a switch that gives callers tools shows its impact first, and one that takes them away acts at once", async ({
  admin,
  server,
  removeAfterwards,
}) => {
  removeAfterwards("policies/e2e-denies");
  const policy = { name: "e2e-denies", effect: "deny", groups: ["support-read"], everyone: true };
  await askAdmin(server, "POST", "policies", policy);
  await open(admin, "/admin/policies?q=e2e-denies");
  const toggle = admin.getByRole("switch", { name: "e2e-denies active" });
  const dialog = admin.getByRole("dialog", { name: "Deactivate e2e-denies" });
  await toggle.click();
  await expect(dialog.getByRole("region", { name: "Impact of these changes" })).toContainText(/gain tools/);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(toggle).toBeChecked();
  await toggle.click();
  await dialog.getByRole("button", { name: "Deactivate" }).click();
  await expect(admin.getByText("e2e-denies is inactive")).toBeVisible();
  await toggle.click();
  await expect(admin.getByText("e2e-denies is active")).toBeVisible();
  await expect(admin.getByRole("dialog")).toHaveCount(0);
});

test("deleting asks first, and is done", async ({ admin, server }) => {
  await askAdmin(server, "POST", "policies", { name: "e2e-delete", matchers, groups: ["tickets"] });
  await open(admin, "/admin/policies/e2e-delete");
  await admin.getByRole("button", { name: "More actions" }).click();
  await admin.getByRole("menuitem", { name: /Delete/ }).click();
  await admin.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
  await expect(admin).toHaveURL(/\/admin\/policies$/);
  expect(await askAdmin(server, "GET", "policies?q=e2e-delete")).toMatchObject({ total: 0 });
});

test("after a deletion, a form reads the names that it offers again", async ({ admin, server, removeAfterwards }) => {
  removeAfterwards("groups/e2e-gone");
  await askAdmin(server, "POST", "groups", { name: "e2e-gone" });
  const main = admin.getByRole("navigation", { name: "Main" });
  const readNames = () => admin.waitForRequest(/\/api\/admin\/groups\?limit=500/);
  const first = readNames();
  await open(admin, "/admin/policies/new");
  await first;
  await main.getByRole("link", { name: "Tool groups" }).click();
  await admin.getByRole("link", { name: "e2e-gone", exact: true }).click();
  await admin.getByRole("button", { name: "More actions" }).click();
  await admin.getByRole("menuitem", { name: /Delete/ }).click();
  await admin.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
  await expect(admin).toHaveURL(/\/admin\/groups$/);
  const again = readNames();
  await main.getByRole("link", { name: "Access policies" }).click();
  await admin.getByRole("link", { name: "New access policy" }).click();
  await again;
});

test.describe("a save or a delete that is refused", () => {
  test.use({ expectedError: /status of 409/ });

  test("a save from another tab is shown next to the draft, and nothing is overwritten silently", async ({
    admin,
    context,
    server,
  }) => {
    await askAdmin(server, "POST", "policies", { name: "e2e-conflict", matchers, groups: ["tickets"] });
    await open(admin, "/admin/policies/e2e-conflict");
    await admin.getByLabel("Description").fill("mine");
    const other = await context.newPage();
    await open(other, "/admin/policies/e2e-conflict");
    await other.getByLabel("Description").fill("theirs");
    await other.getByRole("button", { name: "Review and save…", exact: true }).click();
    await other.getByRole("button", { name: "Save changes" }).click();
    await expect(other.getByText("Saved access policy e2e-conflict")).toBeVisible();

    // The review plans the save, so it shows the server's refusal first.
    await admin.getByRole("button", { name: "Review and save…", exact: true }).click();
    const conflict = admin.getByRole("dialog", { name: "This row was saved in the meantime" });
    await expect(conflict.getByLabel("Theirs: description")).toContainText("theirs");
    await expect(conflict.getByLabel("Mine: description")).toContainText("mine");
    expect(await askAdmin(server, "GET", "policies/e2e-conflict")).toMatchObject({ description: "theirs" });
    await conflict.getByRole("button", { name: "Use these versions" }).click();
    await admin.getByRole("button", { name: "Review and save…", exact: true }).click();
    await admin.getByRole("button", { name: "Save changes" }).click();
    await expect(admin.getByText("Saved access policy e2e-conflict")).toBeVisible();
    expect(await askAdmin(server, "GET", "policies/e2e-conflict")).toMatchObject({ description: "mine" });
  });

  test("a delete that was refused can be repeated after its dialog was closed", async ({ admin, server }) => {
    await askAdmin(server, "POST", "groups", { name: "e2e-again", description: "" });
    const { revision } = await askAdmin<{ revision: number }>(server, "GET", "groups/e2e-again");
    await open(admin, "/admin/groups/e2e-again");
    await admin.getByRole("button", { name: "More actions" }).click();
    await admin.getByRole("menuitem", { name: /Delete/ }).click();
    const dialog = admin.getByRole("dialog", { name: "Delete tool group e2e-again?" });
    const remove = dialog.getByRole("button", { name: "Delete", exact: true });
    await expect(remove).toBeEnabled();
    await askAdmin(
      server,
      "PUT",
      "groups/e2e-again",
      { name: "e2e-again", description: "theirs" },
      { "if-match": `"${revision}"` },
    );
    await remove.click();
    await expect(remove).toHaveCount(0);
    await dialog.getByText("Close", { exact: true }).click();
    await admin.getByRole("button", { name: "More actions" }).click();
    await admin.getByRole("menuitem", { name: /Delete/ }).click();
    await expect(remove).toBeVisible();
  });

  test("a group in use is not deleted, and names its users before the deletion", async ({ admin, server }) => {
    await askAdmin(server, "POST", "groups", { name: "e2e-used", description: "" });
    await askAdmin(server, "POST", "policies", { name: "e2e-user", matchers, groups: ["e2e-used"] });
    await open(admin, "/admin/groups/e2e-used");
    await admin.getByRole("button", { name: "More actions" }).click();
    await admin.getByRole("menuitem", { name: /Delete/ }).click();
    const dialog = admin.getByRole("dialog", { name: "e2e-used is in use" });
    await expect(dialog.getByRole("link", { name: "policies: e2e-user" })).toBeVisible();
    await expect(dialog.getByRole("button", { name: "Delete", exact: true })).toHaveCount(0);
    expect(await askAdmin(server, "GET", "groups?q=e2e-used")).toMatchObject({ total: 1 });
  });
});

test("a change shows the affected callers while editing, in the review, and before a deletion", async ({
  admin,
  server,
}) => {
  const call = { tool_id: "support:lookup_customer", arguments: { query: "ada@example.com" } };
  const { call_id } = await callAsBot<{ call_id: string }>(server, call);
  await askAdmin(server, "POST", "policies", {
    name: "e2e-impact",
    effect: "deny",
    matchers: [{ claim: "team", operator: "equals", value: "nobody-real" }],
    groups: ["*"],
  });
  await open(admin, "/admin/policies/e2e-impact");
  const impact = admin.getByRole("region", { name: "Impact", exact: true });
  await expect(impact).toContainText("Edit the policy to see");
  const condition = admin.getByRole("listitem", { name: "Condition 1" });
  await expect(condition).toContainText(/0 of \d+ recent callers/);

  await condition.getByLabel("Value").fill("support");
  await expect(condition).toContainText(/[1-9]\d* of \d+ recent callers/);
  await expect(impact.getByRole("list", { name: "Callers whose tools change" })).toContainText("support-bot");
  await expect(impact.getByRole("link", { name: "support:lookup_customer" }).first()).toHaveAttribute(
    "href",
    `/admin/executions/${call_id}`,
  );
  await expect(impact).toContainText("Refused by a policy");

  await admin.getByRole("button", { name: "Review and save…", exact: true }).click();
  const review = admin.getByRole("dialog");
  await expect(review.getByRole("region", { name: "Impact of these changes" })).toContainText(/loses? tools/);
  await review.getByRole("button", { name: "Keep editing" }).click();
  await admin.getByRole("button", { name: "Discard" }).click();
  await expect(impact).toContainText("Edit the policy to see");

  await open(admin, "/admin/policies/support-staff");
  await admin.getByRole("button", { name: "More actions" }).click();
  await admin.getByRole("menuitem", { name: /Delete/ }).click();
  await expect(admin.getByRole("dialog").getByRole("region", { name: "Impact of the deletion" })).toContainText(
    /loses? tools/,
  );

  await open(admin, "/admin/tools/support%3Alookup_customer");
  await admin.getByRole("switch", { name: "Enabled" }).click();
  await expect(admin.getByRole("region", { name: "Unsaved changes" })).toContainText(/loses? tools/);
});
