import axe, { type RunOptions } from "axe-core";
import { expect, type Page } from "@playwright/test";

/** Only of violations axe describes every node; it would spend most of its time on the nodes that pass. */
const EVERY_RULE: RunOptions = { resultTypes: ["violations"] };
/** Rules about colours. The structure of a page is the same in both themes, so only these run twice. */
const COLOUR_RULES: RunOptions = {
  ...EVERY_RULE,
  runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] },
};

/** axe's violations on the present page, which has no frames: all rules in the light theme, only the colour rules in the dark one. */
export async function findings(page: Page): Promise<string[]> {
  // Until an answer arrives, the one to former inputs is faded.
  await expect(page.locator(".opacity-55")).toHaveCount(0);
  // axe's own package for Playwright compiles this source four times for two runs, as long as a run of the colour rules.
  await page.evaluate(`${axe.source}; 0`);
  const light = await inTheme(page, "light", EVERY_RULE);
  const dark = await inTheme(page, "dark", COLOUR_RULES);
  return [...light, ...dark];
}

/** The theme is an attribute of the page, as its menu sets it. Nothing may still be fading: half-transparent text has half the contrast. */
async function inTheme(page: Page, theme: "light" | "dark", rules: RunOptions): Promise<string[]> {
  const violations = await page.evaluate(
    async ([name, options]) => {
      document.documentElement.dataset["theme"] = name;
      const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
      await Promise.allSettled(ending.map(({ finished }) => finished));
      const { axe: loaded } = globalThis as unknown as { axe: { run: typeof axe.run } };
      return (await loaded.run(document, options)).violations;
    },
    [theme, rules] as const,
  );
  return violations.map(
    ({ id, nodes }) => `${theme}, ${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`,
  );
}
