import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";

/** Rules about colours. The structure of a page is the same in both themes, so only these run twice. */
const BY_COLOUR = ["color-contrast", "link-in-text-block"];

/**
 * Legacy mode opens no second page to collect results from frames. Our pages have no frames. Only of violations axe
 * describes every node; it would spend most of its time on the nodes that pass.
 */
const axe = (page: Page) => new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });

/** axe's violations on the present page: all rules in the light theme, only the colour rules in the dark one. */
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
