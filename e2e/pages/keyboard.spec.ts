import { expect, open, test } from "@/e2e/support/fixtures";

test("g and a letter go places, n makes a new one, and ? says so", async ({ admin }) => {
  await open(admin, "/admin/executions");
  await admin.keyboard.press("g");
  await admin.keyboard.press("p");
  await expect(admin).toHaveURL(/\/admin\/policies$/);
  await expect(admin.getByRole("link", { name: "New access policy" })).toBeVisible();
  await admin.keyboard.press("n");
  await expect(admin.getByLabel("Name", { exact: true })).toBeFocused();
  await admin.goBack();
  await expect(admin.getByRole("link", { name: "New access policy" })).toBeVisible();
  await admin.keyboard.press("g");
  await admin.keyboard.press("t");
  await expect(admin).toHaveURL(/\/admin\/tools$/);
  await admin.keyboard.press("?");
  await expect(admin.getByRole("dialog", { name: "Keyboard shortcuts" })).toContainText("Filter the list");
  await admin.keyboard.press("Escape");
  await expect(admin.getByRole("dialog")).toHaveCount(0);
});

test("after a key that goes somewhere, Tab goes on in the content", async ({ admin }) => {
  await open(admin, "/admin/tools");
  await admin.keyboard.press("g");
  await admin.keyboard.press("p");
  await expect(admin.getByRole("link", { name: "New access policy" })).toBeVisible();
  await admin.keyboard.press("Tab");
  await expect(admin.getByRole("searchbox", { name: "Filter access policies" })).toBeFocused();
});

test("the focus moves to the added row or the opened field", async ({ admin }) => {
  await open(admin, "/admin/policies/new");
  await admin.getByRole("button", { name: "Add condition" }).press("Enter");
  await expect(admin.getByRole("combobox", { name: "Claim path" })).toBeFocused();
  await admin.getByLabel("Groups", { exact: true }).focus();
  await admin.keyboard.type("tick");
  await expect(admin.getByRole("option", { name: "tickets" })).toBeVisible();
  await admin.keyboard.press("Enter");
  await expect(admin.getByRole("button", { name: "Remove tickets" })).toBeVisible();
  await open(admin, "/admin/sources");
  await admin.getByRole("button", { name: "Import OpenAPI" }).press("Enter");
  await expect(admin.getByRole("dialog").getByRole("combobox", { name: "Name" })).toBeFocused();
});

test("closing a review returns the focus to its button", async ({ admin }) => {
  await open(admin, "/admin/policies/support-staff");
  await admin.getByRole("switch", { name: "Active" }).press("Space");
  const review = admin.getByRole("button", { name: "Review and save…", exact: true });
  await review.press("Enter");
  await expect(admin.getByRole("dialog", { name: "Review changes to support-staff" })).toBeVisible();
  await admin.keyboard.press("Escape");
  await expect(review).toBeFocused();
  await admin.getByRole("button", { name: "Discard" }).press("Enter");
});

test("Ctrl-Enter saves from the review's main button, and Ctrl-Z there undoes nothing behind it", async ({ admin }) => {
  await open(admin, "/admin/policies/support-staff");
  const description = admin.getByLabel("Description", { exact: true });
  await description.focus();
  await admin.keyboard.press("End");
  await admin.keyboard.type(" Reviewed.");
  const typed = await description.inputValue();
  await admin.keyboard.press("Control+s");
  const dialog = admin.getByRole("dialog", { name: "Review changes to support-staff" });
  const save = dialog.getByRole("button", { name: /^Save (changes|anyway)$/ });
  await expect(save).toBeFocused();
  await expect(save).toBeEnabled();
  await admin.keyboard.press("Control+z");
  await expect(description).toHaveValue(typed);
  let saves = 0;
  admin.on("request", (request) => (saves += request.method() === "PUT" ? 1 : 0));
  await admin.keyboard.press("Control+Enter");
  await admin.keyboard.press("Control+Enter");
  await expect(admin.getByText("Saved access policy support-staff")).toBeVisible();
  await expect(dialog).toHaveCount(0);
  expect(saves).toBe(1);
  await expect(admin.locator("#main"), "a save leaves the field, so that shortcuts work").toBeFocused();
  await admin.keyboard.press("g");
  await admin.keyboard.press("h");
  await expect(admin).toHaveURL(/\/admin\/changes$/);
});

test("a number that is none keeps the bar with Discard", async ({ admin }) => {
  await open(admin, "/admin/policies/support-staff");
  const priority = admin.getByLabel("Priority", { exact: true });
  const stored = await priority.inputValue();
  await priority.fill("7gh");
  await admin.keyboard.press("Tab");
  const bar = admin.getByRole("region", { name: "Unsaved changes" });
  await expect(bar).toContainText("A field is invalid");
  await bar.getByRole("button", { name: "Discard" }).click();
  await expect(priority).toHaveValue(stored);
  await expect(bar).toHaveCount(0);
});

test("Escape keeps the chips of a field", async ({ admin }) => {
  await open(admin, "/admin/policies/support-staff");
  await admin.getByLabel("Groups", { exact: true }).focus();
  await admin.keyboard.press("Escape");
  await admin.keyboard.press("Escape");
  await expect(admin.getByRole("button", { name: "Remove tickets" })).toBeVisible();
  await expect(admin.getByRole("region", { name: "Unsaved changes" })).toHaveCount(0);
});

test("a text in a field of chips becomes a chip when one clicks elsewhere", async ({ admin }) => {
  await open(admin, "/admin/agents/support-bot?tab=settings");
  await admin.getByLabel("People", { exact: true }).pressSequentially("ada@example.com");
  await admin.getByLabel("Description").click();
  await expect(admin.getByRole("button", { name: "Remove ada@example.com" })).toBeVisible();
  await admin.getByRole("button", { name: "Discard" }).click();
});

test("a shortcut leads from a machine's tables to the page's tabs, and Escape back", async ({ admin }) => {
  await open(admin, "/admin/machines/ticket-desk");
  const deep = admin.getByRole("table", { name: "Rules" }).getByRole("button").last();
  await deep.focus();
  await admin.keyboard.press("t");
  await expect(admin.getByRole("tab", { name: "Design" })).toBeFocused();
  await admin.keyboard.press("Escape");
  await expect(deep).toBeFocused();
  await admin.keyboard.press("t");
  await admin.keyboard.press("ArrowRight");
  await admin.keyboard.press("Escape");
  await admin.keyboard.press("t");
  await expect(admin.getByRole("tab", { name: "Design" })).toBeFocused();
  await admin.keyboard.press("ArrowRight");
  await admin.keyboard.press("Enter");
  await expect(admin).toHaveURL(/tab=simulate/);
  await expect(admin.getByRole("region", { name: "Simulation" })).toBeVisible();
  // In a field the key types a letter.
  const caller = admin.getByRole("combobox", { name: "Caller" });
  await expect(caller).toBeEnabled();
  await caller.focus();
  await admin.keyboard.press("t");
  await expect(caller).toBeFocused();
});

test("the first Tab offers to skip the navigation", async ({ admin }) => {
  await open(admin, "/admin/policies");
  await admin.keyboard.press("Tab");
  await expect(admin.getByRole("link", { name: "Skip to content" })).toBeFocused();
});
