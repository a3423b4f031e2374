import { NAVIGATION } from "@/components/shell/navigation";
import { expect, open, test } from "@/e2e/fixtures";

const PAGES = [
  ...NAVIGATION.flatMap((section) => section.entries.map((entry) => entry.href as string)),
  "/admin/api-keys",
  "/admin/policies/small-refunds",
  "/admin/groups/support-read",
  "/admin/tools/support%3Arefund_order",
  "/admin/machines/ticket-desk",
  "/admin/policies/new",
];

test.describe("at 1024 pixels", () => {
  test.use({ viewport: { width: 1024, height: 768 } });

  test("no page scrolls sideways", async ({ admin }) => {
    test.slow();
    for (const path of PAGES) {
      await open(admin, path);
      await expect(admin.getByRole("heading", { level: 1 }).first(), path).toBeAttached();
      await expect(admin.getByRole("status", { name: "Loading" }), path).toHaveCount(0);
      const over = await admin.evaluate(() => {
        const main = document.querySelector("main") ?? document.documentElement;
        return Math.max(main.scrollWidth - main.clientWidth, document.documentElement.scrollWidth - window.innerWidth);
      });
      expect(over, path).toBeLessThanOrEqual(0);
    }
  });
});

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
