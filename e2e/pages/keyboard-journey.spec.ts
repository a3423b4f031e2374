import type { Locator, Page } from "@playwright/test";
import { expect, hydrated, test } from "@/e2e/support/fixtures";

// The main task without a pointer: Tab or a shortcut reaches every control, and nothing is clicked.

/** A form has fewer stops than this between two of its fields. */
const MAX_STOPS = 80;
const GROUP = "by-keyboard";

test("signing in, making a group, granting it, previewing it and deleting both need no pointer", async ({
  page,
  server,
}) => {
  test.slow();
  await page.goto("/");
  await hydrated(page);
  await type(page, page.getByLabel("E-mail"), server.adminEmail);
  await type(page, page.getByLabel("Password"), server.adminPassword);
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/admin\//);
  await hydrated(page);

  await begin(page, "r", "tool group");
  await type(page, page.getByLabel("Name", { exact: true }), GROUP);
  await press(page, page.getByRole("button", { name: "Add selector" }));
  await type(page, page.getByRole("listitem", { name: "Selector 1" }).getByLabel("Source"), "builtin");
  await page.getByRole("option", { name: /^builtin/ }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await press(page, page.getByRole("button", { name: "Create tool group" }));
  await expect(page).toHaveURL(new RegExp(`/admin/groups/${GROUP}$`));

  await begin(page, "p", "access policy");
  await type(page, page.getByLabel("Name", { exact: true }), GROUP);
  // Not in force: the demo's assertions stay as they are.
  await press(page, page.getByRole("switch", { name: "Active" }), "Space");
  await press(page, page.getByRole("radio", { name: "With matching claims" }), "ArrowRight");
  await expect(page.getByRole("radio", { name: "Everyone" })).toBeChecked();
  await type(page, page.getByLabel("Groups", { exact: true }), GROUP);
  await page.getByRole("option", { name: GROUP }).waitFor();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: `Remove ${GROUP}` })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+s");
  await expect(page).toHaveURL(new RegExp(`/admin/policies/${GROUP}$`));

  // The shortcut of the review saves it, including text in a field that still has the focus.
  await type(page, page.getByLabel("Description", { exact: true }), "By keyboard.");
  await page.keyboard.press("Control+s");
  await expect(page.getByRole("dialog", { name: `Review changes to ${GROUP}` })).toContainText("By keyboard.");
  // A save waits until its impact is shown.
  await expect(page.getByRole("button", { name: /^Save (changes|anyway)$/ })).toBeEnabled();
  await page.keyboard.press("Control+s");
  await expect(page.getByText(`Saved access policy ${GROUP}`)).toBeVisible();
  // Until it is gone, keys are the dialog's.
  await expect(page.getByRole("dialog", { name: /^Review/ })).toHaveCount(0);
  // In a text field, the next keys would be text.
  await expect(page.locator("#main")).toBeFocused();

  for (const [key, one] of [
    ["p", "access policy"],
    ["r", "tool group"],
  ] as const) {
    await go(page, key, one);
    await page.keyboard.press("/");
    await page.keyboard.type(GROUP);
    const row = page.getByRole("link", { name: GROUP, exact: true });
    await expect(page.getByRole("row")).toHaveCount(2);
    await tabTo(page, row);
    await page.keyboard.press("Control+Enter");
    await expect(page).toHaveURL(new RegExp(`/${GROUP}$`));
    await press(page, page.getByRole("button", { name: "More actions" }));
    await page.getByRole("menuitem", { name: /^Delete/ }).waitFor();
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await press(page, page.getByRole("dialog").getByRole("button", { name: "Delete" }));
    await expect(page).not.toHaveURL(new RegExp(GROUP));
  }
});

/** Goes to a list by its key, and waits until it listens. */
async function go(page: Page, key: string, one: string): Promise<void> {
  await page.keyboard.press("g");
  await page.keyboard.press(key);
  await expect(page.getByRole("link", { name: `New ${one}` })).toBeVisible();
}

/** Goes there and begins a new one. */
async function begin(page: Page, key: string, one: string): Promise<void> {
  await go(page, key, one);
  // A link can be seen a moment before its key is listened to.
  await expect(async () => {
    await page.keyboard.press("n");
    await expect(page.getByRole("heading", { name: `New ${one}` })).toBeVisible({ timeout: 5_000 });
  }).toPass();
}

/** Presses Tab until the focus is there. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let stop = 0; stop < MAX_STOPS; stop += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  await expect(target, "is reached by Tab").toBeFocused();
}

async function type(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.type(text);
}

async function press(page: Page, control: Locator, key = "Enter"): Promise<void> {
  await tabTo(page, control);
  // At work it takes no press.
  await expect(control).toBeEnabled();
  await page.keyboard.press(key);
}
