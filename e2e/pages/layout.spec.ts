import { expect, hydrated, open, test } from "@/e2e/support/fixtures";

const PHONE = { width: 390, height: 844 };

test("the theme is chosen once, and the first paint of the next page already has it", async ({ admin }) => {
  await open(admin, "/admin/policies");
  const ink = () => admin.evaluate(() => getComputedStyle(document.body).color);
  const themes: string[] = [];
  for (const theme of ["Light", "Dark"]) {
    await admin.getByRole("button", { name: "Theme" }).click();
    await admin.getByRole("menuitemradio", { name: theme }).click();
    await expect(admin.locator("html")).toHaveAttribute("data-theme", theme.toLowerCase());
    themes.push(await ink());
    await admin.reload();
    await expect(admin.locator("html")).toHaveAttribute("data-theme", theme.toLowerCase());
    expect(await ink()).toBe(themes.at(-1));
    await hydrated(admin);
  }
  expect(themes[0]).not.toBe(themes[1]);
});

test("a form that fits into the window does not scroll", async ({ admin }) => {
  await admin.setViewportSize({ width: 1440, height: 900 });
  await open(admin, "/admin/users/new");
  await expect(admin.getByRole("button", { name: "Create user" })).toBeVisible();
  const main = admin.getByRole("main");
  expect(await main.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBe(0);
});

test("the button of further filters keeps its words beside a set filter", async ({ admin }) => {
  await admin.setViewportSize({ width: 1440, height: 900 });
  await open(admin, "/admin/tools?source=support");
  const words = admin.getByRole("button", { name: "More filters" });
  expect((await words.boundingBox())?.width).toBeGreaterThan(90);
});

test("preview and log are readable on a phone", async ({ admin }) => {
  await admin.setViewportSize(PHONE);
  for (const path of ["/admin/preview?persona=first-line", "/admin/executions"]) {
    await open(admin, path);
    await expect(admin.getByRole("button", { name: "Menu" })).toBeVisible();
    const over = await admin.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(over, path).toBeLessThanOrEqual(0);
  }
});

test("on a phone, a list has two rows of tools, and its filters fold behind a button that counts them", async ({
  admin,
}) => {
  await admin.setViewportSize(PHONE);
  for (const path of ["/admin/changes", "/admin/tools", "/admin/sources"]) {
    await open(admin, path);
    const table = admin.getByRole("table").first();
    await expect(table).toBeVisible();
    const search = admin.getByRole("searchbox");
    const rows = new Set<number>();
    for (const button of await admin.getByRole("main").getByRole("button").or(search).all()) {
      const box = await button.boundingBox();
      const isAbove = box !== null && box.y < ((await table.boundingBox())?.y ?? 0);
      if (isAbove && box.height >= 32) rows.add(Math.round((box.y + box.height / 2) / 20));
    }
    expect(rows.size, path).toBeLessThanOrEqual(2);
  }
  await open(admin, "/admin/tools?source=support");
  await expect(admin.getByRole("combobox", { name: "Status" })).toBeHidden();
  const filters = admin.getByRole("button", { name: "Filters, 1 set" });
  expect((await filters.boundingBox())?.height).toBeGreaterThanOrEqual(40);
  expect((await admin.getByRole("link", { name: "New tool" }).boundingBox())?.height).toBeGreaterThanOrEqual(40);
  await filters.click();
  await expect(admin.getByRole("combobox", { name: "Status" })).toBeVisible();
});

test("at 900 pixels the whole navigation is visible, and a closed section stays closed", async ({ admin }) => {
  await open(admin, "/admin/overview");
  const main = admin.getByRole("navigation", { name: "Main" });
  const entries = main.getByRole("listitem");
  expect(await entries.count()).toBeLessThanOrEqual(16);
  await expect(entries.last()).toBeInViewport({ ratio: 1 });
  await expect(main.getByRole("button", { name: "Settings" })).toBeInViewport({ ratio: 1 });
  await main.getByRole("button", { name: "Govern" }).click();
  await expect(main.getByRole("link", { name: "Access policies" })).toHaveCount(0);
  await admin.reload();
  await expect(main.getByRole("button", { name: "Govern" })).toHaveAttribute("aria-expanded", "false");
  await expect(main.getByRole("link", { name: "Access policies" })).toHaveCount(0);
  await expect(main.getByRole("button", { name: "Advanced" })).toHaveAttribute("aria-expanded", "false");
  await main.getByRole("button", { name: "Govern" }).click();
  // A section that starts closed is open on its own pages.
  await open(admin, "/admin/personas");
  await expect(main.getByRole("link", { name: "Personas" })).toHaveAttribute("aria-current", "page");
});

test("on a phone, a table fades at the edge beyond which it continues", async ({ admin }) => {
  await admin.setViewportSize(PHONE);
  await open(admin, "/admin/tools");
  const frame = admin.getByRole("region", { name: "Tools, table" });
  const mask = () => frame.evaluate((element) => getComputedStyle(element).maskImage);
  await expect(frame).toHaveAttribute("data-more-after");
  await expect(frame).not.toHaveAttribute("data-more-before");
  expect(await mask()).toContain("gradient");
  await frame.evaluate((element) => element.scrollTo({ left: element.scrollWidth }));
  await expect(frame).toHaveAttribute("data-more-before");
  await expect(frame).not.toHaveAttribute("data-more-after");
  await admin.setViewportSize({ width: 1440, height: 900 });
  expect(await mask()).toBe("none");
});

test("on a phone, a machine is drawn, renamed, connected and simulated, and nothing of a state is cut", async ({
  admin,
}) => {
  await admin.setViewportSize(PHONE);
  await open(admin, "/admin/machines/new");
  await admin.getByLabel("Name", { exact: true }).fill("e2e-phone");
  await admin.getByRole("button", { name: "Add state" }).first().click();
  const selected = admin.getByRole("region", { name: "Selected: state" });
  await selected.getByLabel("Name of the selected state").fill("done");
  await selected.getByRole("checkbox", { name: "Terminal state" }).click();
  await admin.getByRole("group", { name: /^State start\b/ }).click();
  await selected.getByRole("button", { name: "Add transition" }).click();
  const dialog = admin.getByRole("dialog", { name: "Add a transition" });
  await dialog.getByRole("combobox", { name: "Find a tool" }).fill("add_note");
  await admin.getByRole("option", { name: /^support:add_note/ }).click();
  const states = admin.getByRole("region", { name: "States, table" });
  await expect(states.getByRole("list", { name: "Tools in state start" })).toContainText("support:add_note");
  for (const name of ["States, table", "Rules, table"])
    await expect(admin.getByRole("region", { name })).not.toHaveAttribute("data-more-after");
  // From above to below: beside each other, two states are wider than the picture.
  const [start, done] = await Promise.all(
    ["start", "done"].map((name) => admin.getByRole("group", { name: new RegExp(`^State ${name}\\b`) }).boundingBox()),
  );
  expect(done?.y).toBeGreaterThan((start?.y ?? 0) + (start?.height ?? 0));
  await admin.getByRole("tab", { name: "Simulate" }).click();
  const simulation = admin.getByRole("region", { name: "Simulation" });
  await simulation.getByRole("combobox", { name: "Caller" }).fill("first-line");
  await admin.getByRole("option", { name: /first-line/ }).click();
  await simulation.getByRole("button", { name: /support:add_note/ }).click();
  await expect(simulation.getByRole("status")).toHaveText("done");
});

test("a button of the header that is pressed before its menu is loaded opens it", async ({ admin }) => {
  const html = await (await admin.request.get("/admin/policies")).text();
  let release = () => {};
  const released = new Promise<void>((done) => (release = done));
  // Scripts that the page does not name are loaded after it.
  await admin.route("**/_next/static/chunks/*.js", async (route) => {
    if (!html.includes(new URL(route.request().url()).pathname)) await released;
    await route.continue();
  });
  await admin.goto("/admin/policies", { waitUntil: "commit" });
  await hydrated(admin);
  await admin.getByRole("button", { name: /^Account/ }).click();
  await expect(admin.getByRole("menu")).toBeHidden();
  release();
  await expect(admin.getByRole("menuitem", { name: "Sign out" })).toBeVisible();
  await admin.keyboard.press("Escape");
  await expect(admin.getByRole("menu")).toBeHidden();
  await expect(admin.getByRole("button", { name: /^Account/ })).toBeFocused();
});

test("a printed page is as long as its content and has no buttons", async ({ admin }) => {
  await admin.setViewportSize({ width: 794, height: 600 });
  await open(admin, "/admin/changes?revision=2");
  const rows = admin.getByRole("table", { name: "Changes" }).locator("[data-row]");
  await expect(rows.nth(20)).toBeAttached();
  await admin.emulateMedia({ media: "print" });
  await expect(admin.getByRole("navigation", { name: "Breadcrumb" })).toBeHidden();
  await expect(admin.getByRole("button", { name: "Refresh" })).toBeHidden();
  const last = await rows.last().boundingBox();
  const height = await admin.evaluate(() => document.documentElement.scrollHeight);
  expect(last?.y).toBeGreaterThan(600);
  expect(height).toBeGreaterThanOrEqual((last?.y ?? 0) + (last?.height ?? 0));
});

test("in forced colours, a switch still shows its state and a choice its value", async ({ admin }) => {
  await admin.emulateMedia({ forcedColors: "active" });
  await open(admin, "/admin/policies/small-refunds");
  const colour = (selector: string) =>
    admin
      .locator(selector)
      .first()
      .evaluate((element) => getComputedStyle(element).backgroundColor);
  expect(await colour('[role="switch"] > *')).not.toBe(await colour('[role="switch"]'));
  expect(await colour("label:has(> [type=radio]:checked)")).not.toBe(
    await colour("label:has(> [type=radio]:not(:checked))"),
  );
});
