import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";

/** What only colours decide: a page's structure is the same in both themes. */
const BY_COLOUR = ["color-contrast", "link-in-text-block"];

/** The mode is the one without a second page, where it would put together what it finds in frames: no page of ours has any. */
const axe = (page: Page) => new AxeBuilder({ page }).setLegacyMode();

/** What axe finds wrong with the page as it is: everything in the light theme, and in the dark one what colours decide. */
export async function findings(page: Page): Promise<string[]> {
  const light = await inTheme(page, "light", axe(page));
  const dark = await inTheme(page, "dark", axe(page).withRules(BY_COLOUR));
  return [...light, ...dark];
}

/** The theme is an attribute of the page, as its menu sets it. Nothing may still be fading: half-transparent text has half the contrast. */
async function inTheme(page: Page, theme: "light" | "dark", check: AxeBuilder): Promise<string[]> {
  await page.evaluate(async (name) => {
    document.documentElement.dataset["theme"] = name;
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  }, theme);
  const { violations } = await check.analyze();
  return violations.map(
    ({ id, nodes }) => `${theme}, ${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`,
  );
}
