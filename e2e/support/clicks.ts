import type { Page } from "@playwright/test";

/** The session storage key of the count: it survives every navigation of the tab. */
const KEY = "clicks-of-journey";

/** Counts the presses of the pointer in a tab from now on; the result reads the count. Typing and keys are not counted. */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  // An init script runs from the next navigation on, so the page that is open now runs it too.
  await page.addInitScript(listen, KEY);
  await page.evaluate(listen, KEY);
  return () => page.evaluate((key) => Number(sessionStorage.getItem(key)), KEY);
}

function listen(key: string): void {
  const count = () => sessionStorage.setItem(key, String(Number(sessionStorage.getItem(key)) + 1));
  // Playwright stops a press at the window when its target has just moved away, and presses again.
  document.addEventListener("pointerdown", count, { capture: true });
}
