import { chromium, type BrowserContext } from "@playwright/test";
import type { AtEnd } from "@/bench/support/closing";
import { measuredApp } from "@/bench/support/servers/measured-app";
import { findChromium } from "@/scripts/chromium.mjs";

/** Builds the app, serves an installation with it, and opens Chromium with a session cookie (`name=value`). */
export async function measuredBrowser(
  { env, cookie }: { readonly env: Readonly<Record<string, string>>; readonly cookie: string },
  atEnd: AtEnd,
): Promise<BrowserContext> {
  const app = await measuredApp("ours", {}, env);
  atEnd(app.remove);
  const { url, stop } = await app.serve("server");
  atEnd(stop);
  const executablePath = findChromium();
  const browser = await chromium.launch({
    ...(executablePath === null ? {} : { executablePath }),
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
  atEnd(() => browser.close());
  const [name = "", value = ""] = cookie.split(/=(.*)/s);
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1280, height: 800 } });
  await context.addCookies([{ name, value, url }]);
  // The bench's transpiler calls a helper to name functions; pages lack it.
  await context.addInitScript("globalThis.__name ??= (named) => named;");
  return context;
}
