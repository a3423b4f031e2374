import { expect, hydrated, open, test } from "@/e2e/support/fixtures";

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
  }
  expect(themes[0]).not.toBe(themes[1]);
});

test("preview and log are readable on a phone", async ({ admin }) => {
  await admin.setViewportSize({ width: 390, height: 844 });
  for (const path of ["/admin/preview?persona=first-line", "/admin/executions"]) {
    await open(admin, path);
    await expect(admin.getByRole("button", { name: "Menu" })).toBeVisible();
    const over = await admin.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(over, path).toBeLessThanOrEqual(0);
  }
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
  await open(admin, "/admin/changes");
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
