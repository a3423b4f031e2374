import type { Page } from "@playwright/test";

/** Timings of one action on a page. */
export interface ActionTiming {
  /** Milliseconds until the expected content was painted. */
  readonly painted: number;
  /** The page's longest task in milliseconds. */
  readonly longestTask: number;
  /** The longest time from an input to the next paint, in milliseconds (Event Timing, the base of INP); 0 = below 16, or no input. */
  readonly interaction: number;
  /** Elements on the page afterwards. */
  readonly elements: number;
}

/** Milliseconds from the page's own observers. */
interface Seen {
  readonly tasks: number[];
  readonly inputs: number[];
}

/** Milliseconds after a paint until the observers have its entries. */
const ENTRIES_MS = 150;

/** Runs first on a page and starts its observers. */
export function watchPage(): void {
  const seen: Seen = { tasks: [], inputs: [] };
  Object.assign(globalThis, { seen });
  const observe = (into: number[], options: object) =>
    new PerformanceObserver((list) => into.push(...list.getEntries().map(({ duration }) => duration))).observe(options);
  observe(seen.tasks, { type: "longtask", buffered: true });
  observe(seen.inputs, { type: "event", durationThreshold: 16, buffered: true });
}

/** Does an action on a page, and waits until the page shows the result. */
export async function measureAction(
  page: Page,
  act: () => Promise<unknown>,
  shown: () => Promise<unknown>,
): Promise<ActionTiming> {
  await page.evaluate(() => {
    // The blank page at the start has no observers.
    const { seen } = globalThis as unknown as { seen?: Seen };
    seen?.tasks.splice(0);
    seen?.inputs.splice(0);
  });
  const start = performance.now();
  await act();
  await shown();
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
  const painted = performance.now() - start;
  await page.waitForTimeout(ENTRIES_MS);
  const seen = await page.evaluate(() => {
    const { tasks, inputs } = (globalThis as unknown as { seen: Seen }).seen;
    const elements = document.querySelectorAll("*").length;
    return { longestTask: Math.max(0, ...tasks), interaction: Math.max(0, ...inputs), elements };
  });
  return { painted, ...seen };
}
