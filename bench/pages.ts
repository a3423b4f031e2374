import { closing } from "@/bench/support/closing";
import { measurePages } from "@/bench/support/pages/measure-pages";
import { largeInstallation } from "@/bench/support/large-installation";
import { report } from "@/bench/support/measure";
import { measuredBrowser } from "@/bench/support/servers/measured-browser";
import type { ActionTiming } from "@/bench/support/pages/page-timing";

// Measures the pages in Chromium with 10,000 tools, 100,000 calls and 1,000 policies, through the real server: opening,
// typing, choosing, scrolling. Each happens once, so the times depend on the machine. Goals: every input is answered within
// what Web Vitals call good, and no page grows with the length of its list.

const GOOD_INTERACTION_MS = 200;
const MAX_ELEMENTS = 4_000;

await closing(async (atEnd) => {
  const installation = await largeInstallation();
  atEnd(installation.stop);
  const context = await measuredBrowser(installation, atEnd);
  const all: ActionTiming[] = [];
  for await (const { what, felt } of measurePages(context)) {
    all.push(felt);
    const { painted, longestTask, interaction, elements } = felt;
    console.log(
      `        ${what.padEnd(52)} ${toMs(painted)} painted ${toMs(longestTask)} longest task ${toMs(interaction)} input ${String(elements).padStart(6)} elements`,
    );
  }
  const most = (figure: keyof ActionTiming) => Math.max(...all.map((felt) => felt[figure]));
  report("the slowest input of all, until the next paint", most("interaction"), { atMost: GOOD_INTERACTION_MS }, " ms");
  report("elements of the largest page", most("elements"), { atMost: MAX_ELEMENTS });
});

function toMs(value: number): string {
  return `${value.toFixed(0).padStart(6)} ms`;
}
