import type { Page } from "@playwright/test";
import { NAVIGATION } from "@/components/shell/navigation";
import { findings } from "@/e2e/support/accessible";
import { callAsBot } from "@/e2e/support/admin-api";
import { expect, hydrated, open, test } from "@/e2e/support/fixtures";

/** Every page of the navigation, and one of each kind of page behind them; visited once each, for a page costs seconds. */
const PAGES: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(NAVIGATION.map(({ label, entries }) => [label, entries.map(({ href }) => href)])),
  "what can be made": ["/admin/policies/new", "/admin/groups/new", "/admin/tools/new", "/admin/webhooks/new"],
  "what is there": [
    "/admin/start",
    "/admin/policies/small-refunds",
    "/admin/groups/support-read",
    "/admin/tools/support%3Arefund_order",
    "/admin/tools/support%3Arefund_order?tab=try",
    "/admin/tools/support%3Arefund_order?tab=access",
    "/admin/machines/ticket-desk",
    "/admin/deliveries",
    "/admin/executions/verify",
    "/admin/api-keys",
    "/admin/preview?persona=first-line&machine=ticket-desk&tab=hidden&tool=support%3Arefund_order",
    "/admin/preview?persona=contractor&compare=caller&b-persona=supervisor&tool=support%3Arefund_order",
  ],
};

const WIDE = { width: 1440, height: 900 };
/** The smallest window; and a wide one at twice, and at four times the size (WCAG 1.4.10). */
const NARROW = [1024, 640, 320].map((width) => ({ width, height: 768 }));

for (const [kind, paths] of Object.entries(PAGES))
  test(`pages of ${kind} are accessible in both themes, have one heading, and none scrolls sideways in a narrow window`, async ({
    admin,
  }) => {
    test.slow();
    for (const path of paths) {
      await open(admin, path);
      await expect(admin.getByRole("status", { name: "Loading" }), path).toHaveCount(0);
      await expect(admin.getByRole("heading", { level: 1 }), path).toHaveCount(1);
      expect.soft(await findings(admin), path).toEqual([]);
      for (const size of NARROW) {
        await admin.setViewportSize(size);
        expect.soft(await sideways(admin), `${path} at ${size.width} pixels`).toBeLessThanOrEqual(0);
      }
      await admin.setViewportSize(WIDE);
    }
  });

test("sign-in is accessible", async ({ page }) => {
  await page.goto("/sign-in");
  await hydrated(page);
  expect(await findings(page)).toEqual([]);
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

test("findings, a review and an import are accessible", async ({ admin }) => {
  await open(admin, "/admin/policies/new");
  await admin.getByRole("button", { name: "Create access policy" }).click();
  await expect(admin.getByText(/Correct \d+ problems?/)).toBeVisible();
  expect(await findings(admin)).toEqual([]);
  await open(admin, "/admin/groups/support-read");
  await admin.getByLabel("Description").fill("What the desk reads.");
  await admin.getByRole("button", { name: "Review and save…", exact: true }).click();
  await expect(admin.getByRole("dialog", { name: "Review changes to support-read" })).toBeVisible();
  expect(await findings(admin)).toEqual([]);
  await open(admin, "/admin/sources");
  await admin.getByRole("button", { name: "Import OpenAPI" }).click();
  await expect(admin.getByRole("dialog", { name: "Import an OpenAPI document" })).toBeVisible();
  expect(await findings(admin)).toEqual([]);
});

test("a peek panel, the palette and the shortcuts are accessible", async ({ admin }) => {
  await open(admin, "/admin/policies?effect=allow&peek=support-staff");
  await expect(admin.getByRole("dialog", { name: "support-staff" })).toContainText("team");
  expect(await findings(admin)).toEqual([]);
  await admin.keyboard.press("Control+k");
  await expect(admin.getByRole("combobox", { name: "Search or jump" })).toBeFocused();
  await admin.keyboard.type("support");
  await expect(admin.getByRole("option", { name: "support-bot agent" })).toBeVisible();
  expect(await findings(admin)).toEqual([]);
  await open(admin, "/admin/policies");
  await admin.keyboard.press("?");
  await expect(admin.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  expect(await findings(admin)).toEqual([]);
});

/** Pixels that the page is wider than what shows it. */
function sideways(page: Page): Promise<number> {
  return page.evaluate(() => {
    const main = document.querySelector("main") ?? document.documentElement;
    return Math.max(main.scrollWidth - main.clientWidth, document.documentElement.scrollWidth - window.innerWidth);
  });
}
