import { setTimeout as delay } from "node:timers/promises";
import { closing, type AtEnd } from "@/bench/support/closing";
import { streamedList } from "@/bench/support/list-observer";
import { median, percentile, report } from "@/bench/support/measure";
import { paintedAfter, REST_MS } from "@/bench/support/pages/painted-after";
import { measuredApp } from "@/bench/support/servers/measured-app";
import { measuredBrowser } from "@/bench/support/servers/measured-browser";
import { measuredInstallation, type MeasuredInstallation } from "@/bench/support/servers/measured-installation";
import { togglePolicy } from "@/bench/support/toggled-policy";
import { callersOf } from "@/bench/support/workload";

// Measures an installation ten times as large as the stated one: 100,000 tools under 10,000 policies. The first change after
// a start, a saved change on 1,000 open streams, and the preview's paint. Saving so many rows first takes minutes.

const SIZE = {
  tools: Number(process.env["GROWTH_TOOLS"] ?? 100_000),
  groups: 1_000,
  policies: Number(process.env["GROWTH_POLICIES"] ?? 10_000),
};
const STARTS = 3;
const STREAMS = Number(process.env["GROWTH_STREAMS"] ?? 1_000);
/** Streams that open at the same time: at most as many as the listening socket's backlog takes. */
const AT_ONCE = 100;
const CHANGES = 10;
const PAUSE_MS = 1_000;
const [PREVIEWS, WARM] = [15, 5];

const SIZED = `${SIZE.tools} tools, ${SIZE.policies} policies`;

await closing(async (atEnd) => {
  const installation = await measuredInstallation({ size: SIZE });
  atEnd(installation.stop);
  await changes(installation, atEnd);
  await previews(installation, atEnd);
});

async function changes({ env, token, plainApiKey }: MeasuredInstallation, atEnd: AtEnd): Promise<void> {
  const app = await measuredApp("ours", {}, env);
  atEnd(app.remove);
  const first: number[] = [];
  for (let start = 0; start < STARTS; start += 1) {
    const server = await app.serve("server");
    const save = await togglePolicy(server.url, token);
    const began = performance.now();
    await save();
    first.push(performance.now() - began);
    if (start < STARTS - 1) await server.stop();
    else {
      atEnd(server.stop);
      report(`first change after a start, ${SIZED}`, median(first), { atMost: 500 }, " ms");
      await streams(server.url, plainApiKey, save);
    }
  }
}

async function streams(url: string, apiKey: string, save: () => Promise<number>): Promise<void> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const lists: Awaited<ReturnType<typeof streamedList>>[] = [];
  while (lists.length < STREAMS) {
    const opening = Array.from({ length: Math.min(AT_ONCE, STREAMS - lists.length) }, () => streamedList(url, headers));
    lists.push(...(await Promise.all(opening)));
  }
  const late: number[] = [];
  for (let change = 0; change < CHANGES; change += 1) {
    await delay(PAUSE_MS);
    const revision = await save();
    const saved = performance.now();
    const seen = await Promise.all(lists.map((list) => list.seen(revision)));
    late.push(...seen.map((at) => Math.max(0, at - saved)));
  }
  for (const list of lists) list.stop();
  console.log(`        ${STREAMS} streams, p50 ${percentile(late, 50).toFixed(0)} ms`);
  report(`saved change on ${STREAMS} streams, ${SIZED}, p99`, percentile(late, 99), { atMost: 1_000 }, " ms");
}

async function previews({ env }: MeasuredInstallation, atEnd: AtEnd): Promise<void> {
  // Imported after the environment is set.
  const { signIn } = await import("@/test/support/person");
  const { closeDatabase } = await import("@/lib/store/db/database");
  const { cookie } = await signIn("admin");
  await closeDatabase();
  const context = await measuredBrowser({ env, cookie }, atEnd);
  const page = await context.newPage();
  await page.goto("/admin/preview?tab=hidden");
  await page.getByRole("listbox", { name: "Hidden tools" }).waitFor();
  const painted: number[] = [];
  for (const [round, claims] of callersOf(PREVIEWS + WARM).entries()) {
    const took = await paintedAfter(page, JSON.stringify({ ...claims, nonce: `typed-${round}` }));
    if (round >= WARM) painted.push(took - REST_MS);
  }
  report(`preview, change of the inputs to paint, ${SIZED}`, median(painted), { atMost: 300 }, " ms");
}
