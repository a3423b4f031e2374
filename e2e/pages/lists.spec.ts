import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { askAdmin, callAsBot } from "@/e2e/support/admin-api";
import { expect, open, test } from "@/e2e/support/fixtures";

// Features of every list: keys, peek panel, state in the URL, columns, saved views.

const row = (page: Page, name: string) => page.getByRole("link", { name, exact: true });

test("a list is filtered, walked, peeked into and opened without the mouse", async ({ admin }) => {
  await open(admin, "/admin/policies");
  await expect(row(admin, "support-staff")).toBeVisible();
  await admin.keyboard.press("/");
  await expect(admin.getByRole("searchbox", { name: "Filter access policies" })).toBeFocused();
  await admin.keyboard.type("tickets");
  await admin.keyboard.press("Backspace");
  await expect(admin).toHaveURL(/q=ticket$/);
  await admin.keyboard.press("ControlOrMeta+a");
  await admin.keyboard.press("Backspace");
  await expect(admin).toHaveURL(/\/admin\/policies$/);
  await admin.keyboard.press("Escape");
  // A row that the filter did not find: before, the rows of the former answer are shown.
  await expect(row(admin, "contractors-move-no-money")).toBeVisible();

  const names = await admin.locator("[data-row]").evaluateAll((rows) => rows.map((each) => each.textContent));
  await admin.keyboard.press("j");
  await admin.keyboard.press("j");
  await admin.keyboard.press("k");
  await expect(admin.locator("[data-row]").first()).toBeFocused();
  await admin.keyboard.press("Enter");
  const peek = (name: string | null) => admin.getByRole("dialog", { name: name ?? "", exact: true });
  await expect(peek(names[0]!)).toContainText("Priority");
  await expect(admin).toHaveURL(new RegExp(`peek=${names[0]!}`));
  await admin.keyboard.press("j");
  await expect(peek(names[1]!)).toBeVisible();
  await admin.keyboard.press("Escape");
  await expect(admin.getByRole("dialog")).toHaveCount(0);
  await expect(row(admin, names[1]!)).toBeFocused();
  // Addresses are written 150 ms apart, and one that is written while a page is on its way keeps it from coming: no hand is as fast.
  await expect(admin).not.toHaveURL(/peek=/);
  await admin.keyboard.press("Control+Enter");
  await expect(admin.getByRole("heading", { name: names[1]!, level: 1 })).toBeVisible();
});

test("a key press in the filter renders no row again", async ({ admin }) => {
  await open(admin, "/admin/policies");
  await expect(row(admin, "support-staff")).toBeVisible();
  let answer = () => {};
  const held = new Promise<void>((done) => (answer = done));
  await admin.route(/\/api\/admin\/policies\?.*q=/, async (route) => {
    await held;
    await route.continue();
  });
  // React stores an element's last props on it. A different object means a new render.
  const drawn = await admin.evaluateHandle(() => {
    const propsOf = (cell: Element) => {
      const kept = Object.entries(cell).find(([key]) => key.startsWith("__reactProps$"));
      if (kept === undefined) throw new Error("React keeps no props beside its elements any more.");
      return kept[1] as unknown;
    };
    const before = [...document.querySelectorAll("tbody td")].map((cell) => [cell, propsOf(cell)] as const);
    return { again: () => before.filter(([cell, props]) => propsOf(cell) !== props).length, cells: before.length };
  });
  expect(await drawn.evaluate(({ cells }) => cells)).toBeGreaterThan(20);
  await admin.getByRole("searchbox").pressSequentially("support");
  await expect(admin.locator("table[aria-busy=true]")).toBeVisible();
  expect(await drawn.evaluate(({ again }) => again())).toBe(0);
  answer();
  await expect(row(admin, "support-staff")).toBeVisible();
  await expect(row(admin, "contractors-move-no-money")).toHaveCount(0);
});

test("the URL holds the view: a choice adds a history entry, typing adds none, defaults are left out", async ({
  admin,
}) => {
  await open(admin, "/admin/policies");
  await admin.getByRole("combobox", { name: "Effect" }).click();
  await admin.getByRole("option", { name: "Deny" }).click();
  await expect(admin).toHaveURL(/\?effect=deny$/);
  await expect(row(admin, "support-staff")).toHaveCount(0);
  await admin.getByRole("searchbox").fill("nothing is called that");
  await expect(admin.getByText("No access policies match")).toBeVisible();
  await admin.goBack();
  await expect(admin).toHaveURL(/\/admin\/policies$/);
  await expect(row(admin, "support-staff")).toBeVisible();
  await admin.goForward();
  await admin.getByRole("button", { name: "Clear filters" }).click();
  await expect(admin).toHaveURL(/\/admin\/policies$/);
  await expect(row(admin, "support-staff")).toBeVisible();

  await admin.getByRole("button", { name: "Name", exact: true }).click();
  await expect(admin).toHaveURL(/\?sort=name$/);
  await row(admin, "support-staff").focus();
  await admin.keyboard.press("Enter");
  await expect(admin).toHaveURL(/peek=support-staff/);
  await admin.reload();
  await expect(admin.getByRole("dialog", { name: "support-staff" })).toContainText("team");
  await admin.goBack();
  await expect(admin.getByRole("dialog")).toHaveCount(0);
});

test("a filter is a chip that is removed with one press", async ({ admin }) => {
  await open(admin, "/admin/policies?effect=deny&group=gone");
  await expect(admin.getByText("No access policies match")).toBeVisible();
  await admin.getByRole("button", { name: "Clear Group" }).click();
  await expect(row(admin, "contractors-move-no-money")).toBeVisible();
  await admin.getByRole("button", { name: "Clear Effect" }).click();
  await expect(row(admin, "support-staff")).toBeVisible();
});

test("columns and density survive a reload, for this list only", async ({ admin }) => {
  await open(admin, "/admin/policies");
  const column = (name: string) => admin.getByRole("columnheader", { name });
  await expect(column("Rule")).toBeVisible();
  await admin.getByRole("button", { name: "Columns and density" }).click();
  await admin.getByRole("menuitemcheckbox", { name: "Rule" }).click();
  await admin.getByRole("menuitemradio", { name: "Compact" }).click();
  await expect(column("Rule")).toHaveCount(0);
  const height = async () => (await admin.locator("tbody tr").first().boundingBox())?.height;
  await expect.poll(height).toBeLessThan(34);
  await admin.reload();
  await expect(column("Effect")).toBeVisible();
  await expect(column("Rule")).toHaveCount(0);
  expect(await height()).toBeLessThan(34);
  await open(admin, "/admin/tools");
  await expect.poll(height).toBeGreaterThan(34);
});

test.describe("with a name that is refused", () => {
  // The browser notes the refusal.
  test.use({ expectedError: /status of 400/ });

  test("a view is saved, applied from another page, renamed, shared and deleted", async ({ admin }) => {
    await open(admin, "/admin/policies?effect=deny&sort=name");
    await expect(row(admin, "contractors-move-no-money")).toBeVisible();
    await admin.getByRole("button", { name: "Columns and density" }).click();
    await admin.getByRole("menuitemcheckbox", { name: "Rule" }).click();
    await admin.keyboard.press("Escape");
    await admin.getByRole("button", { name: "Views" }).click();
    await admin.getByRole("menuitem", { name: "Save this view…" }).click();
    const save = admin.getByRole("dialog", { name: "Save this view" });
    await save.getByLabel("Name").fill("not a slug");
    await save.getByRole("button", { name: "Save view" }).click();
    await expect(save.getByText(/Use letters, digits/)).toBeVisible();
    await save.getByLabel("Name").fill("only-denies");
    await save.getByRole("button", { name: "Save view" }).click();
    await expect(admin.getByText("Saved view only-denies")).toBeVisible();
    await admin.getByRole("button", { name: "Columns and density" }).click();
    await admin.getByRole("menuitem", { name: "Default columns" }).click();

    await open(admin, "/admin/agents");
    await admin.keyboard.press("Control+k");
    await expect(admin.getByRole("combobox", { name: "Search or jump" })).toBeFocused();
    await admin.keyboard.type("only-denies");
    await expect(admin.getByRole("option", { name: /only-denies.*view of access policies/ })).toBeVisible();
    await admin.keyboard.press("Enter");
    await expect(admin).toHaveURL(/\/admin\/policies\?(effect=deny&sort=name|sort=name&effect=deny)$/);
    await expect(row(admin, "contractors-move-no-money")).toBeVisible();
    await expect(row(admin, "support-staff")).toHaveCount(0);
    await expect(admin.getByRole("columnheader", { name: "Rule" })).toHaveCount(0);

    await admin.getByRole("button", { name: "Views" }).click();
    await admin.getByRole("menuitem", { name: "Manage views…" }).click();
    const manage = admin.getByRole("dialog", { name: "My views of this list" });
    await manage.getByLabel("Name of only-denies").fill("what-we-refuse");
    await manage.getByRole("button", { name: "Rename" }).click();
    await expect(manage.getByLabel("Name of what-we-refuse")).toBeVisible();
    await manage.getByLabel("Name of what-we-refuse").fill("half-a-name");
    await manage.getByRole("checkbox", { name: "Shared" }).click();
    await expect(manage.getByRole("checkbox", { name: "Shared" })).toBeChecked();
    await expect(manage.getByLabel("Name of what-we-refuse")).toHaveValue("half-a-name");
    await manage.getByRole("button", { name: "Delete view what-we-refuse" }).click();
    await expect(manage.getByText("None yet")).toBeVisible();
    await admin.getByRole("button", { name: "Undo" }).click();
    await expect(manage.getByLabel("Name of what-we-refuse")).toBeVisible();
  });
});

test("the log has a peek panel too", async ({ admin, server }) => {
  await callAsBot(server, { tool_id: "builtin:calculate", arguments: { expression: "2 + 3" } });
  await open(admin, "/admin/executions?q=calculate");
  await expect(admin.locator("[data-row]").first()).toBeVisible();
  await admin.keyboard.press("j");
  await admin.keyboard.press("Enter");
  const peek = admin.getByRole("dialog");
  await expect(peek.getByRole("region", { name: "result" })).toBeVisible();
  await expect(peek.getByRole("complementary", { name: "Decision" })).toBeVisible();
});

test("findings and revisions use the same keys", async ({ admin }) => {
  await open(admin, "/admin/findings");
  await expect(admin.locator("[data-row]").first()).toBeVisible();
  await admin.keyboard.press("j");
  await expect(admin.locator("[data-row]").first()).toBeFocused();
  await open(admin, "/admin/configuration");
  await expect(admin.locator("[data-row]").first()).toBeVisible();
  await admin.keyboard.press("j");
  await admin.keyboard.press("Enter");
  await expect(admin).toHaveURL(/from=\d+&to=\d+/);
});

test("the list of secrets works like the others: find, peek, set and delete", async ({
  admin,
  server,
  removeAfterwards,
}) => {
  removeAfterwards("secrets/e2e-listed", "secrets/e2e-other");
  const origins = ["https://api.example.com"];
  for (const name of ["e2e-listed", "e2e-other"])
    await askAdmin(server, "PUT", `secrets/${name}`, { value: "a value of its own", origins });
  await open(admin, "/admin/secrets");
  await expect(row(admin, "e2e-other")).toBeVisible();
  await admin.getByRole("searchbox").pressSequentially("listed");
  await expect(row(admin, "e2e-other")).toHaveCount(0);
  await row(admin, "e2e-listed").focus();
  await admin.keyboard.press("Enter");
  const peek = admin.getByRole("dialog", { name: "e2e-listed", exact: true });
  await expect(peek).toContainText("https://api.example.com");
  await peek.getByRole("button", { name: "Set…" }).click();
  const setting = admin.getByRole("dialog", { name: "Set e2e-listed" });
  await setting.getByLabel("Value").fill("another value of its own");
  await setting.getByRole("button", { name: "Set secret" }).click();
  await expect(admin.getByText("Set secret e2e-listed")).toBeVisible();
  await open(admin, "/admin/secrets/e2e-listed");
  await admin.getByRole("button", { name: "Delete…" }).click();
  await admin.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(admin).toHaveURL(/\/admin\/secrets$/);
  await expect(row(admin, "e2e-other")).toBeVisible();
  await expect(row(admin, "e2e-listed")).toHaveCount(0);
});

test.describe("a dialog about rows that left the list", () => {
  // It may ask once more about the deleted row.
  test.use({ expectedError: /status of 404/ });

  test("stays and says so, and does not open again for the next rows", async ({ admin, server, removeAfterwards }) => {
    removeAfterwards("personas/e2e-gone", "personas/e2e-stays");
    for (const name of ["e2e-gone", "e2e-stays"]) await askAdmin(server, "POST", "personas", { name });
    await open(admin, "/admin/personas?q=e2e-");
    const bar = admin.getByRole("toolbar", { name: "Selected personas" });
    await admin.getByRole("checkbox", { name: "Select e2e-gone" }).check();
    await bar.getByRole("button", { name: "More" }).click();
    await admin.getByRole("menuitem", { name: "Delete…" }).click();
    const dialog = admin.getByRole("dialog");
    await expect(dialog).toBeVisible();
    const { revision } = await askAdmin<{ revision: number }>(server, "GET", "personas/e2e-gone");
    await askAdmin(server, "DELETE", "personas/e2e-gone", undefined, { "if-match": `"${revision}"` });
    // The list is read again when the person comes back to the window.
    await admin.clock.setFixedTime(Date.now() + 11_000);
    await admin.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
    await expect(dialog).toContainText("The selected personas left the list");
    await expect(dialog.getByRole("button", { name: "Delete personas" })).toBeDisabled();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expect(dialog).toBeHidden();
    await admin.getByRole("checkbox", { name: "Select e2e-stays" }).check();
    await expect(bar).toContainText("1 selected");
    await expect(dialog).toBeHidden();
  });
});

test("a dialog asks before it drops chips", async ({ admin }) => {
  await open(admin, "/admin/tools?source=support");
  await admin.getByRole("checkbox", { name: "Select support:get_order" }).check();
  await admin.getByRole("toolbar", { name: "Selected tools" }).getByRole("button", { name: "More" }).click();
  await admin.getByRole("menuitem", { name: "Add labels…" }).click();
  const dialog = admin.getByRole("dialog", { name: "Add labels: 1 tool" });
  await dialog.getByLabel("Labels").fill("e2e-chip");
  await dialog.getByLabel("Labels").press("Enter");
  await admin.mouse.click(5, 5);
  await admin.getByRole("button", { name: "Keep editing" }).click();
  await expect(dialog).toContainText("e2e-chip");
  await dialog.getByRole("button", { name: "Remove e2e-chip" }).click();
  await admin.mouse.click(5, 5);
  await expect(dialog).toBeHidden();
});

test("selected rows are changed together after a preview of the effect, and undone", async ({ admin, server }) => {
  const off = async () =>
    (await askAdmin<{ total: number }>(server, "GET", "tools?enabled=false&source=support")).total;
  const { total } = await askAdmin<{ total: number }>(server, "GET", "tools?source=support");
  await open(admin, "/admin/tools?source=support");
  await expect(admin.locator("[data-row]").first()).toBeVisible();
  await admin.keyboard.press("j");
  await admin.keyboard.press("s");
  const chosen = admin.getByRole("toolbar", { name: "Selected tools" });
  await expect(chosen).toContainText("1 selected");
  await admin.keyboard.press("b");
  await expect(chosen.getByRole("button").first()).toBeFocused();
  await admin.keyboard.press("Escape");
  await expect(admin.locator("[data-row]").first()).toBeFocused();
  await admin.keyboard.press("b");
  await admin.keyboard.press("Enter");
  await expect(chosen).toContainText(`${total} selected`);
  await chosen.getByRole("button", { name: "Clear selection" }).press("Enter");
  await expect(chosen).toHaveCount(0);
  await expect(admin.locator("[data-row]").first()).toBeFocused();
  await admin.keyboard.press("s");
  await chosen.getByRole("button", { name: `Select all ${total} that match` }).click();
  await expect(chosen).toContainText(`${total} selected`);
  await chosen.getByRole("button", { name: "Disable" }).click();
  const dialog = admin.getByRole("dialog", { name: `Disable: ${total} tools` });
  await expect(dialog).toContainText(`${total} tools will change.`);
  await expect(dialog.getByRole("list", { name: "Changes" })).toContainText("support:get_order");
  await expect(dialog.getByRole("list", { name: "Callers whose tools change" })).toContainText("first-line");
  expect(await off()).toBe(0);
  await dialog.getByLabel("Reason").fill("Stocktaking");
  await dialog.getByRole("button", { name: `Change ${total} tools` }).click();
  const toast = admin.locator("[data-toast]").filter({ hasText: `Changed ${total} tools` });
  await expect(toast).toBeVisible();
  await expect(chosen).toHaveCount(0);
  // The toast leaves the buttons of the bar free.
  await toast.hover();
  await admin.getByRole("checkbox", { name: "Select support:get_order" }).check();
  for (const size of [
    { width: 390, height: 844 },
    { width: 1440, height: 900 },
  ]) {
    await admin.setViewportSize(size);
    const [above, bar] = [await toast.boundingBox(), await chosen.boundingBox()];
    expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
  }
  await chosen.getByRole("button", { name: "Clear selection" }).click();
  expect(await off()).toBe(total);
  await admin.getByRole("button", { name: "Undo" }).click();
  await expect.poll(off).toBe(0);
});

test("a selected row that is deleted meanwhile leaves the selection, so that the others can be changed", async ({
  admin,
  server,
  removeAfterwards,
}) => {
  const names = ["e2e-leaves-1", "e2e-leaves-2", "e2e-leaves-3"];
  const matchers = [{ claim: "team", operator: "equals", value: "nobody-real" }];
  removeAfterwards(...names.map((name) => `policies/${name}`));
  for (const name of names) await askAdmin(server, "POST", "policies", { name, matchers, groups: ["tickets"] });
  const { revision } = await askAdmin<{ revision: number }>(server, "GET", "policies/e2e-leaves-1");
  await open(admin, "/admin/policies?q=e2e-leaves");
  for (const name of names) await admin.getByRole("checkbox", { name: `Select ${name}` }).click();
  const chosen = admin.getByRole("toolbar", { name: "Selected access policies" });
  await expect(chosen).toContainText("3 selected");
  await askAdmin(server, "DELETE", "policies/e2e-leaves-1", undefined, { "if-match": `"${revision}"` });
  // A save in this tab refetches the list.
  await admin.getByRole("switch", { name: "e2e-leaves-2 active" }).click();
  await expect(chosen).toContainText("2 selected");
  await chosen.getByRole("button", { name: "Deactivate" }).click();
  await admin.getByRole("dialog").getByRole("button", { name: "Change 1 access policy" }).click();
  await expect(admin.getByText("Changed 1 access policy")).toBeVisible();
});

test.describe("when another person saved meanwhile", () => {
  test.use({ expectedError: /status of 409/ });

  const policy = (description: string) => ({
    name: "e2e-meanwhile",
    description,
    matchers: [{ claim: "team", operator: "equals", value: "nobody-real" }],
    groups: ["tickets"],
  });

  test("a bulk change and a switch fail once, and the next try uses the new revision", async ({
    admin,
    server,
    removeAfterwards,
  }) => {
    removeAfterwards("policies/e2e-meanwhile");
    const meanwhile = async (text: string) => {
      const { revision } = await askAdmin<{ revision: number }>(server, "GET", "policies/e2e-meanwhile");
      await askAdmin(server, "PUT", "policies/e2e-meanwhile", policy(text), { "if-match": `"${revision}"` });
    };
    await askAdmin(server, "POST", "policies", policy(""));
    await open(admin, "/admin/policies?q=e2e-meanwhile");
    await admin.getByRole("checkbox", { name: "Select e2e-meanwhile" }).click();
    const chosen = admin.getByRole("toolbar", { name: "Selected access policies" });
    await chosen.getByRole("button", { name: "Deactivate" }).click();
    const dialog = admin.getByRole("dialog");
    await expect(dialog).toContainText("1 access policy will change.");
    await meanwhile("once");
    const change = dialog.getByRole("button", { name: "Change 1 access policy" });
    await change.click();
    await expect(dialog.getByRole("status")).toContainText("The configuration changed in the meantime");
    await change.click();
    await expect(dialog).toHaveCount(0);
    expect(await askAdmin(server, "GET", "policies/e2e-meanwhile")).toMatchObject({ active: false });

    await meanwhile("twice");
    const toggle = admin.getByRole("switch", { name: "e2e-meanwhile active" });
    const again = admin.waitForResponse((response) => response.url().includes("/api/admin/policies?"));
    await toggle.click();
    const notifications = admin.getByRole("region", { name: "Notifications" });
    await expect(notifications.getByText("e2e-meanwhile was not changed")).toBeVisible();
    await again;
    await expect(toggle).toBeChecked();
    await toggle.click();
    await expect.poll(() => askAdmin(server, "GET", "policies/e2e-meanwhile")).toMatchObject({ active: false });
  });
});

test("a list is exported: all matches or the selection, with the visible columns", async ({ admin }) => {
  await open(admin, "/admin/tools?source=support");
  await admin.getByRole("checkbox", { name: "Select support:get_order" }).click();
  const file = async (button: RegExp) => {
    const [download] = await Promise.all([
      admin.waitForEvent("download"),
      admin
        .getByRole("dialog")
        .getByRole("button", { name: button })
        .or(admin.getByRole("dialog").getByRole("link", { name: button }))
        .click(),
    ]);
    const text = await readFile(await download.path(), "utf8");
    return { name: download.suggestedFilename(), lines: text.trimEnd().split(/\r?\n/) };
  };
  await admin.getByRole("button", { name: "Export" }).click();
  const one = await file(/^Export 1 tool$/);
  expect(one.name).toMatch(/^tools-[\d-]+\.csv$/);
  expect(one.lines).toHaveLength(2);
  expect(one.lines[0]).toMatch(/^id,description,/);
  expect(one.lines[1]).toMatch(/^support:get_order,/);
  await admin.getByRole("button", { name: "Export" }).click();
  await admin
    .getByRole("dialog")
    .getByText(/^All \d+ matches$/)
    .click();
  await admin.getByRole("dialog").getByText("JSONL").click();
  await admin.getByRole("dialog").getByText("Every field").click();
  const all = await file(/^Export \d+ tools$/);
  expect(all.name).toMatch(/^tools-[\d-]+\.jsonl$/);
  expect(all.lines.length).toBeGreaterThan(3);
  for (const line of all.lines) expect(JSON.parse(line)).toMatchObject({ source: "support", inputSchema: {} });
});
