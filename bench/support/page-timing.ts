import type { Page } from "@playwright/test";

/** How something on a page felt. */
export interface Felt {
  /** Milliseconds until what was waited for was painted. */
  readonly painted: number;
  /** Milliseconds that the page could do nothing else, at the longest. */
  readonly longestTask: number;
  /** Milliseconds from an input to the next paint, at the longest (Event Timing, which INP is made of); 0: below 16, or no input. */
  readonly interaction: number;
  /** Elements that the page has then. */
  readonly elements: number;
}

/** Milliseconds of each, as the page's observers have seen them. */
interface Seen {
  readonly tasks: number[];
  readonly inputs: number[];
}

/** After a paint, until its entries are there. */
const ENTRIES_MS = 150;

/** What a page is to run first, in order to be felt. */
export function watchPage(): void {
  const seen: Seen = { tasks: [], inputs: [] };
  Object.assign(globalThis, { seen });
  const observe = (into: number[], options: object) =>
    new PerformanceObserver((list) => into.push(...list.getEntries().map(({ duration }) => duration))).observe(options);
  observe(seen.tasks, { type: "longtask", buffered: true });
  observe(seen.inputs, { type: "event", durationThreshold: 16, buffered: true });
}

/** Does something on a page, and waits until it shows what it is to show. */
export async function feel(page: Page, act: () => Promise<unknown>, shown: () => Promise<unknown>): Promise<Felt> {
  await page.evaluate(() => {
    // Absent on the blank page that a page begins as.
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
