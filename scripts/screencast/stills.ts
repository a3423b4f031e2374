import { join } from "node:path";
import type { Page } from "@playwright/test";
import { startOwnServer } from "@/e2e/support/own-server";
import { build, IMAGES, openSignedIn, startBrowser } from "@/scripts/screencast/studio";

// Takes the pictures of the README on a server with the demo: `npm run screencast`.

const SIZE = { width: 1440, height: 900 };

/** Each picture: its file, its theme, and what to do before it is taken. */
const PICTURES: readonly {
  readonly file: string;
  readonly theme: "light" | "dark";
  readonly show: (page: Page) => Promise<void>;
}[] = [
  { file: "preview.png", theme: "light", show: showHiddenTool },
  { file: "impact.png", theme: "dark", show: showImpact },
  { file: "machine.png", theme: "light", show: showMachine },
];

/** A tool that the caller lacks, with the step that hides it and the smallest change. */
async function showHiddenTool(page: Page): Promise<void> {
  await page.goto("/admin/preview?persona=first-line&machine=ticket-desk");
  await page.getByRole("tab", { name: /Hidden/ }).click();
  await page.getByRole("option").filter({ hasText: "refund_order" }).click();
  await page.getByRole("complementary", { name: "Explanation" }).getByText("Hidden", { exact: true }).waitFor();
}

/** An unsaved change of a policy, with the callers who would lose tools by it. */
async function showImpact(page: Page): Promise<void> {
  await page.goto("/admin/policies/support-staff");
  await page.getByRole("listitem", { name: "Condition 1" }).getByLabel("Value").fill("sales");
  await page.keyboard.press("Tab");
  await page.getByRole("button", { name: "Review and save…", exact: true }).click();
  // Saving waits for the impact.
  await page.getByRole("dialog").locator("button:not(:disabled)", { hasText: /^Save/ }).waitFor();
}

async function showMachine(page: Page): Promise<void> {
  await page.goto("/admin/machines/ticket-desk");
  await page.getByRole("button", { name: "Add state" }).first().waitFor();
}

await build();
const server = await startOwnServer([]);
const browser = await startBrowser();
try {
  for (const { file, theme, show } of PICTURES) {
    const page = await openSignedIn(browser, server, { viewport: SIZE, colorScheme: theme });
    await show(page);
    await page.waitForLoadState("networkidle");
    await page.screenshot({ path: join(IMAGES, file) });
    await page.context().close();
    console.log(join(IMAGES, file));
  }
} finally {
  await browser.close();
  await server.stop();
}
