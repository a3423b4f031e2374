import type { Page } from "@playwright/test";
import { closing, type AtEnd } from "@/bench/support/closing";
import { median, percentile, report } from "@/bench/support/measure";
import { paintedAfter, REST_MS } from "@/bench/support/pages/painted-after";
import { measuredBrowser } from "@/bench/support/servers/measured-browser";
import { measuredInstallation } from "@/bench/support/servers/measured-installation";
import { callersOf } from "@/bench/support/workload";

// Measures the time from a change of the inputs until the preview has painted its new answer, with 10,000 tools under 1,000
// policies, in Chromium, through the real server. Baseline, in turns: the same request from the same page, its answer only
// read as text. The 150 ms that the preview waits for further typing are not counted.

const ROUNDS = 30;
const WARM = 5;

await closing(measure);

async function measure(atEnd: AtEnd): Promise<void> {
  const { env, stop } = await measuredInstallation();
  atEnd(stop);
  // Imported after the environment is set.
  const { signIn } = await import("@/test/support/person");
  const { closeDatabase } = await import("@/lib/store/db/database");
  const { cookie } = await signIn("admin");
  await closeDatabase();
  const context = await measuredBrowser({ env, cookie }, atEnd);
  const page = await context.newPage();
  await page.goto("/admin/preview?tab=hidden");
  await page.getByRole("listbox", { name: "Hidden tools" }).waitFor();
  const spent = { painted: [] as number[], bare: [] as number[] };
  const callers = callersOf(ROUNDS + WARM);
  for (const [round, claims] of callers.entries()) {
    // A new caller each time, so that no cache of the browser answers.
    const painted = await paintedAfter(page, JSON.stringify({ ...claims, nonce: `typed-${round}` }));
    const bare = await bareRoundTrip(page, { claims: { ...claims, nonce: `asked-${round}` } });
    if (round < WARM) continue;
    spent.painted.push(painted - REST_MS);
    spent.bare.push(bare.milliseconds);
    if (round === WARM) console.log(`        an answer of ${(bare.bytes / 1024).toFixed(0)} KiB`);
  }
  for (const [what, values] of Object.entries(spent))
    console.log(
      `        ${what.padEnd(8)} p50 ${median(values).toFixed(0)} ms, p95 ${percentile(values, 95).toFixed(0)} ms`,
    );
  report("change of the inputs to paint / bare round trip, 10,000 tools", median(spent.painted) / median(spent.bare), {
    atMost: 2,
  });
}

/** The same request without the page: sent, and its answer read as text. */
function bareRoundTrip(page: Page, body: object): Promise<{ milliseconds: number; bytes: number }> {
  return page.evaluate(async (asked) => {
    const start = performance.now();
    const answer = await fetch("/api/admin/preview", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(asked),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return { milliseconds: performance.now() - start, bytes: text.length };
  }, body);
}
