import { askAdmin } from "@/e2e/support/admin-api";
import { expect, open, test } from "@/e2e/support/fixtures";

// Drafts: their effect is shown, they are not lost, and they are not validated after the save.

const matchers = [{ claim: "team", operator: "equals", value: "nobody-real" }];

test("a draft is not validated while it is saved", async ({ admin, removeAfterwards }) => {
  removeAfterwards("personas/e2e-resting");
  const asked: string[] = [];
  let saving = false;
  let saved = () => {};
  const held = new Promise<void>((resolve) => (saved = resolve));
  await admin.route(/\/api\/admin\/personas$/, async (route) => {
    saving = true;
    const response = await route.fetch();
    await held;
    await route.fulfill({ response });
  });
  admin.on("request", (request) => {
    if (saving && /\/impact$|dryRun/.test(request.url())) asked.push(request.url());
  });
  await open(admin, "/admin/personas/new");
  await admin.getByLabel("Name", { exact: true }).fill("e2e-resting");
  await admin.getByRole("button", { name: "Create persona" }).click();
  await expect.poll(() => saving).toBe(true);
  // Longer than the pause before a draft is sent, so every pending request has been made.
  await admin.evaluate(() => new Promise((resolve) => setTimeout(resolve, 700)));
  saved();
  await expect(admin).toHaveURL(/\/admin\/personas\/e2e-resting$/);
  expect(asked).toEqual([]);
});

test("an edit is previewed as one caller next to the rules in force", async ({ admin, server }) => {
  await open(admin, "/admin/policies/small-refunds");
  await admin.getByRole("radiogroup", { name: "Effect" }).getByText("Deny").click();
  await admin.getByRole("button", { name: "Preview with this draft" }).click();
  const drawer = admin.getByRole("dialog", { name: "Preview with this draft" });
  await drawer.getByRole("combobox", { name: "Persona" }).fill("first-line");
  await admin.getByRole("option", { name: /first-line/ }).click();
  const lost = drawer.getByRole("listbox", { name: "Lost tools" });
  await lost.getByRole("option", { name: /refund_order/ }).click();
  const explained = drawer.getByRole("complementary", { name: "Explanation" });
  await explained.getByText("Current", { exact: true }).click();
  await expect(explained).toContainText("small-refunds");
  await admin.keyboard.press("Escape");
  await expect(admin.getByRole("region", { name: "Unsaved changes" })).toContainText("1 change");
  expect(await askAdmin(server, "GET", "policies/small-refunds")).toMatchObject({ effect: "allow" });
});

test("Back asks before unsaved changes are left, stays, and leaves", async ({ admin, server, removeAfterwards }) => {
  removeAfterwards("policies/e2e-back");
  await askAdmin(server, "POST", "policies", { name: "e2e-back", matchers, groups: ["tickets"] });
  await open(admin, "/admin/policies?q=e2e-back");
  await admin.getByRole("link", { name: "e2e-back" }).click();
  const description = admin.getByLabel("Description");
  const question = admin.getByRole("dialog", { name: "Leave without saving?" });
  await description.fill("half a thought");
  await admin.evaluate(() => window.history.back());
  await question.getByRole("button", { name: "Stay" }).click();
  await expect(admin).toHaveURL(/\/admin\/policies\/e2e-back$/);
  await expect(description).toHaveValue("half a thought");
  await admin.evaluate(() => window.history.back());
  await question.getByRole("button", { name: "Leave" }).click();
  await expect(admin).toHaveURL(/\/admin\/policies\?q=e2e-back$/);
});

test("Cancel asks before a new row that was begun is left", async ({ admin }) => {
  await open(admin, "/admin/personas/new");
  await admin.getByLabel("Name", { exact: true }).fill("half a name");
  const question = admin.getByRole("dialog", { name: "Leave without saving?" });
  await admin.getByRole("button", { name: "Cancel" }).click();
  await question.getByRole("button", { name: "Stay" }).click();
  await expect(admin.getByLabel("Name", { exact: true })).toHaveValue("half a name");
  await admin.getByRole("button", { name: "Cancel" }).click();
  await question.getByRole("button", { name: "Leave" }).click();
  await expect(admin).toHaveURL(/\/admin\/personas$/);
});

test("a form without changes shows another person's save", async ({ admin, server, removeAfterwards }) => {
  removeAfterwards("policies/e2e-follows-1", "policies/e2e-follows-2");
  const policy = { name: "e2e-follows-1", matchers, groups: ["tickets"] };
  const { revision } = await askAdmin<{ revision: number }>(server, "POST", "policies", policy);
  await askAdmin(server, "POST", "policies", { ...policy, name: "e2e-follows-2" });
  await open(admin, "/admin/policies?q=e2e-follows");
  await admin.getByRole("switch", { name: "e2e-follows-2 active" }).click();
  await expect(admin.getByRole("button", { name: "Undo" })).toBeVisible();
  await admin.getByRole("link", { name: "e2e-follows-1" }).click();
  await expect(admin.getByLabel("Description")).toHaveValue("");
  const theirs = { ...policy, description: "theirs" };
  await askAdmin(server, "PUT", "policies/e2e-follows-1", theirs, { "if-match": `"${revision}"` });
  // A save in this tab refetches everything on the page.
  await admin.getByRole("button", { name: "Undo" }).click();
  await expect(admin.getByLabel("Description")).toHaveValue("theirs");
  await expect(admin.getByRole("region", { name: "Unsaved changes" })).toHaveCount(0);
});

test.describe("a session that ends meanwhile", () => {
  test.use({ expectedError: /status of 401/ });

  test("is renewed in another tab, and the changes are saved where they were written", async ({
    admin,
    server,
    removeAfterwards,
  }) => {
    removeAfterwards("policies/e2e-session");
    await askAdmin(server, "POST", "policies", { name: "e2e-session", matchers, groups: ["tickets"] });
    await open(admin, "/admin/policies/e2e-session");
    await admin.getByLabel("Description").fill("half a");
    const cookies = await admin.context().cookies();
    await admin.context().clearCookies();
    await admin.getByLabel("Description").fill("half a thought");
    const ended = admin.getByRole("dialog", { name: "Your session ended" });
    await expect(ended.getByRole("link", { name: "Sign in in another tab" })).toHaveAttribute("target", "_blank");
    await admin.context().addCookies(cookies);
    // It closes by itself once the server answers again.
    await expect(ended).toHaveCount(0);
    await admin.getByRole("button", { name: "Review and save…", exact: true }).click();
    await admin.getByRole("dialog").getByRole("button", { name: "Save changes" }).click();
    await expect(admin.getByText("Saved access policy e2e-session")).toBeVisible();
    expect(await askAdmin(server, "GET", "policies/e2e-session")).toMatchObject({ description: "half a thought" });
  });
});

test.describe("a session that ends while a dialog holds text", () => {
  test.use({ expectedError: /status of 401/ });

  test("is asked about once, and the text stays", async ({ admin }) => {
    await open(admin, "/admin/agents?q=support-bot");
    await admin.getByRole("switch", { name: "support-bot enabled" }).click();
    const dialog = admin.getByRole("dialog", { name: "Disable support-bot" });
    const reason = dialog.getByLabel("Reason");
    await reason.fill("half a reason");
    const refused = () => admin.waitForResponse((answer) => answer.status() === 401, { timeout: 30_000 });
    await admin.context().clearCookies();
    await refused();
    await admin.getByRole("button", { name: "Keep editing" }).click();
    await refused();
    await expect(reason).toHaveValue("half a reason");
    await expect(admin.getByRole("dialog", { name: "Your session ended" })).toHaveCount(0);
    const question = admin.getByRole("dialog", { name: "Discard what you entered?" });
    await dialog.getByRole("button", { name: "Close" }).click();
    await question.getByRole("button", { name: "Keep editing" }).click();
    await expect(reason).toHaveValue("half a reason");
    await reason.press("Escape");
    await question.getByRole("button", { name: "Discard" }).click();
    // Nothing on the page could be lost any more.
    await expect(admin).toHaveURL(/\/sign-in/, { timeout: 30_000 });
  });
});

test.describe("an API that fails for a while", () => {
  test.use({ expectedError: /status of 500/ });

  test("shown data stays, is marked as old, and is fetched again", async ({ admin }) => {
    await open(admin, "/admin/tools?q=refund");
    const rows = admin.getByRole("table", { name: "Tools" }).locator("[data-row]");
    await expect(rows.first()).toBeVisible();
    const before = await rows.count();
    await admin.route(/\/api\/admin\/tools\?/, (route) =>
      route.fulfill({ status: 500, json: { code: "internal", detail: "Out of order.", request_id: "req-e2e" } }),
    );
    const note = admin.getByRole("status", { name: "Not up to date" });
    // A focus of the tab refetches data that is no longer fresh.
    await expect(async () => {
      await admin.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
      await expect(note).toContainText("Out of order.", { timeout: 1_000 });
    }).toPass({ timeout: 25_000 });
    await expect(note.getByRole("button", { name: "Copy request id" })).toBeVisible();
    expect(await rows.count()).toBe(before);
    await admin.unroute(/\/api\/admin\/tools\?/);
    await note.getByRole("button", { name: "Try again" }).click();
    await expect(note).toHaveCount(0);
  });
});

test("a document shows the affected callers before it is applied", async ({ admin, server }) => {
  await open(admin, "/admin/configuration?tab=import");
  await admin
    .getByLabel("Document", { exact: true })
    .fill(
      "apiVersion: quartermaster/v1\npolicies:\n  - { name: e2e-stop, effect: deny, everyone: true, groups: ['*'] }",
    );
  await admin.getByText("Adds and changes only").click();
  await admin.getByRole("button", { name: "Plan", exact: true }).click();
  const plan = admin.getByRole("region", { name: "Plan" });
  await expect(plan).toContainText("creates the access policy e2e-stop");
  await expect(plan.getByRole("region", { name: "Impact of the document" })).toContainText("first-line");
  expect(await askAdmin(server, "GET", "policies?q=e2e-stop")).toMatchObject({ total: 0 });
});

test("an assertion is edited with the preview's fields, or as JSON", async ({ admin, server, removeAfterwards }) => {
  removeAfterwards("assertions/e2e%20given");
  await open(admin, "/admin/assertions/new");
  await admin.getByLabel("Name", { exact: true }).fill("e2e given");
  const inputs = admin.getByRole("form", { name: "Inputs" });
  await inputs.getByLabel("Claims").fill("{ no json");
  await expect(inputs.getByLabel("Claims")).toHaveAttribute("aria-invalid", "true");
  await inputs.getByLabel("Claims").fill('{ "team": "support" }');
  await inputs.getByRole("combobox", { name: "State machine" }).fill("ticket-desk");
  await admin.getByRole("option", { name: "ticket-desk" }).click();
  await admin.getByRole("radiogroup", { name: "Edit the request as" }).getByText("JSON").click();
  const json = admin.getByRole("textbox", { name: "Request" });
  await expect(json).toHaveValue(/"team": "support"[^]*"machine": "ticket-desk"/);
  await json.fill((await json.inputValue()).replace('"support"', '"sales"'));
  await admin.getByRole("radiogroup", { name: "Edit the request as" }).getByText("Inputs").click();
  await expect(inputs.getByLabel("Claims")).toHaveValue(/"sales"/);
  await admin.getByRole("button", { name: "Create assertion" }).click();
  await expect
    .poll(() => askAdmin(server, "GET", "assertions?q=e2e"))
    .toMatchObject({
      items: [{ given: { claims: { team: "sales" }, machine: "ticket-desk", persona: null, group: null } }],
    });
});
