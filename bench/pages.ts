import { closing } from "@/bench/support/closing";
import { feelPages } from "@/bench/support/felt-pages";
import { largeInstallation } from "@/bench/support/large-installation";
import { report } from "@/bench/support/measure";
import { measuredBrowser } from "@/bench/support/measured-browser";
import type { Felt } from "@/bench/support/page-timing";

// How the pages feel with 10,000 tools, 100,000 calls and 1,000 policies, in Chromium, through the real server: opened, typed
// into, chosen from, scrolled. Each is done once, so times are of the machine and its moment; what is promised is that no
// input waits longer than Web Vitals call good, and that no page grows with what it lists.

const GOOD_INTERACTION_MS = 200;
const MOST_ELEMENTS = 4_000;

await closing(async (atEnd) => {
  const installation = await largeInstallation();
  atEnd(installation.stop);
  const context = await measuredBrowser(installation, atEnd);
  const all: Felt[] = [];
  for await (const { what, felt } of feelPages(context)) {
    all.push(felt);
    const { painted, longestTask, interaction, elements } = felt;
    console.log(
      `        ${what.padEnd(52)} ${toMs(painted)} painted ${toMs(longestTask)} longest task ${toMs(interaction)} input ${String(elements).padStart(6)} elements`,
    );
  }
  const most = (figure: keyof Felt) => Math.max(...all.map((felt) => felt[figure]));
  report("the slowest input of all, until the next paint", most("interaction"), { atMost: GOOD_INTERACTION_MS }, " ms");
  report("elements of the largest page", most("elements"), { atMost: MOST_ELEMENTS });
});

function toMs(value: number): string {
  return `${value.toFixed(0).padStart(6)} ms`;
}
