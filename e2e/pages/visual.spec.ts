import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Page } from "@playwright/test";
import { test as base, expect, hydrated, open, signIn } from "@/e2e/support/fixtures";

// The main screens look as they were recorded in e2e/screens, with the demo's data. Text is drawn a little differently by every
// Chromium and with other fonts: elsewhere than where they were recorded, the comparison says why it is skipped. To record anew,
// after looking at what changed: npx playwright test visual --update-snapshots

const RECORDED = join(import.meta.dirname, "../screens/recorded-with.json");

// A fixture that only this file uses, so that it runs in a separate process, on a server without earlier journeys.
const test = base.extend<object, { untouched: null }>({
  untouched: [null, { option: true, scope: "worker" }],
});

const SCREENS: Readonly<Record<string, string>> = {
  start: "/admin/start",
  preview: "/admin/preview?persona=first-line&tool=support%3Arefund_order&tab=hidden",
  policies: "/admin/policies",
  policy: "/admin/policies/small-refunds",
  group: "/admin/groups/support-read",
  machine: "/admin/machines/ticket-desk",
  tools: "/admin/tools",
};

test("the main screens look as recorded, in either theme", async ({ page, server, browser }) => {
  test.slow();
  const here = { chromium: browser.version(), fonts: digestOfFonts() };
  if (["all", "changed"].includes(test.info().config.updateSnapshots)) {
    mkdirSync(dirname(RECORDED), { recursive: true });
    writeFileSync(RECORDED, `${JSON.stringify(here, null, 2)}\n`);
  }
  const recorded: unknown = existsSync(RECORDED) ? JSON.parse(readFileSync(RECORDED, "utf8")) : null;
  test.skip(
    JSON.stringify(recorded) !== JSON.stringify(here),
    `skipped: recorded with ${JSON.stringify(recorded)}, this is ${JSON.stringify(here)}`,
  );
  await signIn(page, server.adminEmail, server.adminPassword);
  // "2 days ago" on every run: a column is as wide as its times, and "just now" becomes "1 min. ago" while the test runs.
  await page.clock.setFixedTime(Date.now() + 2 * 86_400_000 + 3_600_000);
  for (const theme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    for (const [name, path] of Object.entries(SCREENS)) {
      await open(page, path);
      await settled(page);
      await expect.soft(page).toHaveScreenshot(`${name}-${theme}.png`, {
        mask: [page.locator("time"), page.getByRole("button", { name: /^Account/ })],
        maxDiffPixelRatio: 0.01,
        animations: "disabled",
        caret: "hide",
      });
    }
  }
});

/** Nothing is on its way any more. */
async function settled(page: Page): Promise<void> {
  await hydrated(page);
  await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
  await page.waitForLoadState("networkidle");
}

/** Which fonts there are, as Chromium finds them; `null` where nothing says so. */
function digestOfFonts(): string | null {
  const { stdout: fonts } = spawnSync("fc-list", ["--format", "%{fullname} %{fontversion}\n"], { encoding: "utf8" });
  if (!fonts) return null;
  return createHash("sha256").update(fonts.split("\n").toSorted().join("\n")).digest("hex").slice(0, 16);
}
