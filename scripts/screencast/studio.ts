import { chromium, type Browser, type BrowserContextOptions, type Page } from "@playwright/test";
import { buildPackable, buildPrograms, generate } from "@/bin/boot/build.mjs";
import type { OwnServer } from "@/e2e/support/own-server";
import { requireChromium } from "@/scripts/chromium.mjs";

/** The folder of the README's pictures and film. */
export const IMAGES = "docs/images";

/** Builds the app and the programs that the pictures show. */
export async function build(): Promise<void> {
  const root = process.cwd();
  await generate(root);
  await buildPrograms(root);
  await buildPackable(root);
}

/** Starts the browser that is photographed. */
export async function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: await requireChromium(),
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
}

/** Opens a page of a server, signed in as its administrator. */
export async function openSignedIn(
  browser: Browser,
  { baseUrl, adminEmail, adminPassword }: OwnServer,
  options: BrowserContextOptions,
): Promise<Page> {
  const context = await browser.newContext({ baseURL: baseUrl, reducedMotion: "reduce", ...options });
  // A loaded machine renders slowly; nothing here measures time.
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  await page.goto("/sign-in");
  await page.locator("html[data-hydrated]").waitFor({ state: "attached" });
  await page.getByLabel("E-mail").fill(adminEmail);
  await page.getByLabel("Password").fill(adminPassword);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL((url) => !url.pathname.startsWith("/sign-in"));
  return page;
}
