import type { Page } from "@playwright/test";

/** Milliseconds that the preview waits for further typing before it asks. */
export const REST_MS = 150;

/** Milliseconds from an input event in the preview's claims to the frame after the first one with the new answer. */
export function paintedAfter(page: Page, claims: string): Promise<number> {
  return page.evaluate(async (text) => {
    const input = document.querySelector("textarea");
    const setter = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value")?.set;
    if (input === null || setter === undefined) throw new Error("The page has no claims.");
    const isBusy = () => document.querySelector('[role="listbox"]')?.getAttribute("aria-busy") === "true";
    const start = performance.now();
    setter.call(input, text);
    input.dispatchEvent(new Event("input", { bubbles: true }));
    await new Promise<void>((done) => {
      let wasBusy = false;
      const look = () => {
        if (wasBusy && !isBusy()) return done();
        wasBusy ||= isBusy();
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    return performance.now() - start;
  }, claims);
}
