import { expect, open, test } from "@/e2e/fixtures";

test("g and a letter go places, n makes a new one, and ? says so", async ({ admin }) => {
  await open(admin, "/admin/executions");
  await admin.keyboard.press("g");
  await admin.keyboard.press("p");
  await expect(admin).toHaveURL(/\/admin\/policies$/);
  await expect(admin.getByRole("link", { name: "New access policy" })).toBeVisible();
  await admin.keyboard.press("n");
  await expect(admin.getByRole("heading", { name: "New access policy" })).toBeVisible();
  await admin.keyboard.press("g");
  await admin.keyboard.press("t");
  await expect(admin).toHaveURL(/\/admin\/tools$/);
  await admin.keyboard.press("?");
  await expect(admin.getByRole("dialog", { name: "Keyboard shortcuts" })).toContainText("Filter the list");
  await admin.keyboard.press("Escape");
  await expect(admin.getByRole("dialog")).toHaveCount(0);
});

test("Escape leaves the chips of a field alone", async ({ admin }) => {
  await open(admin, "/admin/policies/support-staff");
  await admin.getByLabel("Groups", { exact: true }).focus();
  await admin.keyboard.press("Escape");
  await admin.keyboard.press("Escape");
  await expect(admin.getByRole("button", { name: "Remove tickets" })).toBeVisible();
  await expect(admin.getByRole("region", { name: "Unsaved changes" })).toHaveCount(0);
});

test("the first Tab offers to skip the navigation", async ({ admin }) => {
  await open(admin, "/admin/policies");
  await admin.keyboard.press("Tab");
  await expect(admin.getByRole("link", { name: "Skip to content" })).toBeFocused();
});
