import type { Page } from "@playwright/test";

/** The session storage key of the count: it survives every navigation of the tab. */
const KEY = "clicks-of-journey";

/**
 * Counts the presses of the pointer in a tab from its next navigation on; the result reads the count. Typing and keys are
 * not counted.
 */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript((key) => {
    const count = () => sessionStorage.setItem(key, String(Number(sessionStorage.getItem(key)) + 1));
    // Playwright stops a press at the window when its target has just moved away, and presses again.
    document.addEventListener("pointerdown", count, { capture: true });
  }, KEY);
  return () => page.evaluate((key) => Number(sessionStorage.getItem(key)), KEY);
}
