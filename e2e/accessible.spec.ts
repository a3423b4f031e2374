import { AxeBuilder } from "@axe-core/playwright";
import type { Locator, Page } from "@playwright/test";
import { NAVIGATION } from "@/components/shell/navigation";
import { THEME_COOKIE } from "@/components/shell/theme";
import { callAsBot } from "@/e2e/admin-api";
import { expect, hydrated, open, test } from "@/e2e/fixtures";

/** Every page of the navigation, and one of each kind of page behind them. */
const PAGES = [
  ...NAVIGATION.flatMap((section) => section.entries.map((entry) => entry.href as string)),
  "/admin/policies/new",
  "/admin/groups/new",
  "/admin/tools/new",
  "/admin/policies/small-refunds",
  "/admin/groups/support-read",
  "/admin/tools/support%3Arefund_order",
  "/admin/tools/support%3Arefund_order?tab=try",
  "/admin/tools/support%3Arefund_order?tab=access",
  "/admin/machines/ticket-desk",
  "/admin/webhooks/new",
  "/admin/deliveries",
  "/admin/preview?persona=first-line&machine=ticket-desk&tab=hidden&tool=support%3Arefund_order",
];

for (const theme of ["light", "dark"] as const)
  test.describe(`in the ${theme} theme`, () => {
    test.beforeEach(async ({ context, server }) => {
      await context.addCookies([{ name: THEME_COOKIE, value: theme, url: server.baseUrl }]);
    });

    test("sign-in is accessible", async ({ page }) => {
      await page.goto("/sign-in");
      await hydrated(page);
      expect(await findings(page)).toEqual([]);
    });

    for (const path of PAGES)
      test(`${path} is accessible`, async ({ admin }) => {
        await open(admin, path);
        await expect(admin.getByRole("heading", { level: 1 })).toBeVisible();
        await admin.waitForLoadState("networkidle");
        expect(await findings(admin)).toEqual([]);
      });

    test("a call in the log is accessible", async ({ admin, server }) => {
      const { call_id: id } = await callAsBot<{ call_id: string }>(server, {
        tool_id: "support:refund_order",
        arguments: { order_id: "O-5001", amount: 20 },
      });
      await open(admin, `/admin/executions/${id}`);
      await expect(admin.getByRole("complementary", { name: "Decision" })).toContainText("state_mismatch");
      expect(await findings(admin)).toEqual([]);
    });

    test("what is wrong, a review and an import are accessible", async ({ admin }) => {
      await open(admin, "/admin/policies/new");
      await admin.getByRole("button", { name: "Create access policy" }).click();
      await expect(admin.getByText(/put right/)).toBeVisible();
      expect(await findings(admin)).toEqual([]);
      await open(admin, "/admin/groups/support-read");
      await admin.getByLabel("Description").fill("What the desk reads.");
      await admin.getByRole("button", { name: "Review", exact: true }).click();
      await settled(admin.getByRole("dialog", { name: "Review changes to support-read" }));
      expect(await findings(admin)).toEqual([]);
      await open(admin, "/admin/sources");
      await admin.getByRole("button", { name: "Import OpenAPI" }).click();
      await settled(admin.getByRole("dialog", { name: "Import an OpenAPI document" }));
      expect(await findings(admin)).toEqual([]);
    });

    test("a peek, the palette and the keys are accessible", async ({ admin }) => {
      await open(admin, "/admin/policies?effect=allow&peek=support-staff");
      const peek = admin.getByRole("dialog", { name: "support-staff" });
      await expect(peek).toContainText("team");
      await settled(peek);
      expect(await findings(admin)).toEqual([]);
      await admin.keyboard.press("Control+k");
      await expect(admin.getByRole("combobox", { name: "Search or jump" })).toBeFocused();
      await admin.keyboard.type("support");
      await expect(admin.getByRole("option", { name: "support-bot agent" })).toBeVisible();
      await settled(admin.getByRole("dialog", { name: "Search or jump" }));
      expect(await findings(admin)).toEqual([]);
      await open(admin, "/admin/policies");
      await admin.keyboard.press("?");
      await settled(admin.getByRole("dialog", { name: "Keyboard shortcuts" }));
      expect(await findings(admin)).toEqual([]);
    });
  });

/** Until it has faded in: half-transparent text has half the contrast. */
async function settled(dialog: Locator): Promise<void> {
  await expect(dialog).toBeVisible();
  await dialog.evaluate((element) => Promise.all(element.getAnimations().map((animation) => animation.finished)));
}

/** Everything in the light theme; in the dark one only what colours decide: the page's structure is the same. */
async function findings(page: Page): Promise<string[]> {
  const axe = new AxeBuilder({ page });
  const dark = (await page.locator("html").getAttribute("data-theme")) === "dark";
  const { violations } = await (dark ? axe.withRules(["color-contrast", "link-in-text-block"]) : axe).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`);
}
