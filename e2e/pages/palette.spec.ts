import type { Page } from "@playwright/test";
import { askAdmin } from "@/e2e/support/admin-api";
import { expect, open, test } from "@/e2e/support/fixtures";

// The command palette: objects, pages and verbs, by the keyboard alone.

async function ask(page: Page, text: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox", { name: "Search or jump" })).toBeFocused();
  await page.keyboard.type(text);
}

const option = (page: Page, name: string | RegExp) => page.getByRole("option", { name });

test("an object is found by its name and opened, and is a recent one from then on", async ({ admin }) => {
  await open(admin, "/admin/tools");
  await ask(admin, "small-refunds");
  // Results move the highlight to the first of them a moment after they are drawn.
  await expect(option(admin, "small-refunds access policy")).toHaveAttribute("data-highlighted");
  await admin.keyboard.press("Enter");
  await expect(admin.getByRole("heading", { name: "small-refunds", level: 1 })).toBeVisible();
  await expect(admin.getByRole("dialog")).toHaveCount(0);
  await admin.keyboard.press("Control+k");
  // At once, as one types: nothing is lost before the field is there.
  await admin.keyboard.type("new pers");
  await expect(admin.getByRole("combobox", { name: "Search or jump" })).toHaveValue("new pers");
  await expect(option(admin, /New persona/)).toBeVisible();
  await admin.keyboard.press("Escape");
  await expect(admin.getByRole("dialog")).toHaveCount(0);
  await admin.keyboard.press("Control+k");
  const recent = admin.getByRole("group", { name: "Recent" });
  await expect(recent.getByRole("option").first()).toContainText("small-refunds");
  await admin.keyboard.press("Escape");
  await expect(admin.getByRole("dialog")).toHaveCount(0);
});

test("pages and verbs are found by their words", async ({ admin }) => {
  await open(admin, "/admin/tools");
  await ask(admin, "tool gr");
  await expect(option(admin, "Tool groups page")).toBeVisible();
  await admin.keyboard.press("Control+k"); // The same key closes it.
  await expect(admin.getByRole("dialog")).toHaveCount(0);
  await ask(admin, "dark theme");
  await expect(option(admin, /Switch to the dark theme/)).toBeVisible();
  await admin.keyboard.press("Enter");
  await expect(admin.locator("html")).toHaveAttribute("data-theme", "dark");
  await ask(admin, "new persona");
  await expect(option(admin, /New persona/)).toBeVisible();
  await admin.keyboard.press("Enter");
  await expect(admin.getByRole("heading", { name: "New persona" })).toBeVisible();
});

test("a page or an action that begins with the text is first, also after rows are found", async ({
  admin,
  removeAfterwards,
  server,
}) => {
  removeAfterwards("groups/changes-read");
  await askAdmin(server, "POST", "groups", { name: "changes-read" });
  await open(admin, "/admin/tools");
  await ask(admin, "changes");
  await expect(option(admin, "changes-read tool group")).toBeVisible();
  await expect(option(admin, "Changes page")).toHaveAttribute("data-highlighted");
  await admin.keyboard.press("Enter");
  await expect(admin).toHaveURL(/\/admin\/changes$/);
  await ask(admin, "findings");
  await expect(option(admin, "Findings page")).toHaveAttribute("data-highlighted");
  await expect(admin.getByText("Searching…")).toHaveCount(0);
  await expect(admin.getByText("No results for")).toHaveCount(0);
  await admin.keyboard.press("Control+k");
  await ask(admin, "pause");
  await expect(option(admin, "Pause calls action")).toHaveAttribute("data-highlighted");
  await admin.keyboard.press("Enter");
  await expect(admin.getByRole("dialog", { name: "Pause calls" })).toBeVisible();
});

test("the palette does not leave unsaved changes", async ({ admin }) => {
  await open(admin, "/admin/policies/support-staff");
  await admin.getByLabel("Description").fill("half a thought");
  await ask(admin, "executions");
  await expect(option(admin, "Executions page")).toBeVisible();
  await admin.keyboard.press("Enter");
  await admin.getByRole("dialog", { name: "Leave without saving?" }).getByRole("button", { name: "Stay" }).click();
  await expect(admin.getByLabel("Description")).toHaveValue("half a thought");
});

test("a search without results says so, and offers a search of the log", async ({ admin }) => {
  await open(admin, "/admin/tools");
  await ask(admin, "xyzzy");
  await expect(admin.getByText("No results for “xyzzy”.")).toBeVisible();
  await admin.keyboard.press("Enter");
  await expect(admin).toHaveURL(/\/admin\/executions\?q=xyzzy$/);
});

test("the palette hides what the role may not do or read", async ({ auditor }) => {
  await open(auditor, "/admin/policies");
  await ask(auditor, "new");
  await expect(option(auditor, /Search executions/)).toBeVisible();
  await expect(option(auditor, /^New /)).toHaveCount(0);
  await auditor.keyboard.press("Control+k");
  await ask(auditor, "pause");
  await expect(option(auditor, /Search executions/)).toBeVisible();
  await expect(option(auditor, /Pause calls/)).toHaveCount(0);
});

test("an editor finds no users and no access tokens", async ({ editor }) => {
  const asked: string[] = [];
  editor.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await open(editor, "/admin/policies");
  await ask(editor, "access");
  await expect(option(editor, "Access policies page")).toBeVisible();
  await expect.poll(() => asked.includes("/api/admin/agents")).toBe(true);
  await expect(option(editor, /Access tokens/)).toHaveCount(0);
  expect(asked.filter((path) => /users|tokens|api-keys/.test(path))).toEqual([]);
});

test.describe("when a search fails", () => {
  test.use({ expectedError: /status of 500/ });

  test("the palette names a failed list, and retries it", async ({ admin }) => {
    let failing = true;
    await admin.route(/\/api\/admin\/agents\?q=/, (route) =>
      failing ? route.fulfill({ status: 500, json: { code: "internal", detail: "no" } }) : route.fallback(),
    );
    await open(admin, "/admin/policies");
    // A slow machine also searches for the beginning of the word.
    const searched = admin.waitForResponse(/\/agents\?q=support&/);
    await ask(admin, "support");
    await searched;
    await expect(admin.getByText("Could not search agents.")).toBeVisible();
    await expect(option(admin, "support-staff access policy")).toBeVisible();
    failing = false;
    await admin.getByRole("button", { name: "Try again" }).click();
    await expect(option(admin, "support-bot agent")).toBeVisible();
  });
});
