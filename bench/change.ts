import { setTimeout as delay } from "node:timers/promises";
import { closing, type AtEnd } from "@/bench/support/closing";
import { percentile, report } from "@/bench/support/measure";
import { measuredApp, type ServeMode } from "@/bench/support/servers/measured-app";
import { measuredInstallation } from "@/bench/support/servers/measured-installation";
import { polledList, streamedList, type ListObserver } from "@/bench/support/list-observer";
import { togglePolicy } from "@/bench/support/toggled-policy";

// Measures how long after the answer to a saved change a caller's list shows it: at the one process that saved it, then there
// and at two more gateways; on a stream and by polling. 10,000 tools under 1,000 policies; the changed policy gives the
// caller the tools in code.

const CHANGES = 100;
const MAX_PAUSE_MS = 600;

await closing(measure);

async function measure(atEnd: AtEnd): Promise<void> {
  const installation = await measuredInstallation();
  atEnd(installation.stop);
  const app = await measuredApp("ours", {}, installation.env);
  atEnd(app.remove);
  const start = async (mode: ServeMode): Promise<string> => {
    const server = await app.serve(mode);
    atEnd(server.stop);
    return server.url;
  };
  const headers = { authorization: `Bearer ${installation.apiKey}` };
  const own = await start("server");
  const save = await togglePolicy(own, installation.token);
  await follow("the process that saved it", [own], headers, save, 200);
  const others = [await start("gateway"), await start("gateway")];
  await follow("three processes", [own, ...others], headers, save, 1_000);
}

/** Saves changes, and reports how long after each answer the lists of all given processes show it. */
async function follow(
  where: string,
  urls: readonly string[],
  headers: Readonly<Record<string, string>>,
  save: () => Promise<number>,
  atMost: number,
): Promise<void> {
  const streams = await Promise.all(urls.map((url) => streamedList(url, headers)));
  const polls = urls.map((url) => polledList(url, headers));
  const waited = { streamed: [] as number[], asked: [] as number[] };
  const late = async (lists: readonly ListObserver[], revision: number, saved: number, into: number[]) => {
    const seen = await Promise.all(lists.map((list) => list.seen(revision)));
    into.push(...seen.map((at) => Math.max(0, at - saved)));
  };
  for (let change = 0; change < CHANGES; change += 1) {
    await delay(Math.random() * MAX_PAUSE_MS);
    const revision = await save();
    const saved = performance.now();
    await Promise.all([late(streams, revision, saved, waited.streamed), late(polls, revision, saved, waited.asked)]);
  }
  for (const list of [...streams, ...polls]) list.stop();
  for (const [way, values] of Object.entries(waited)) {
    console.log(`        ${where}, ${way}: ${values.length} lists, p50 ${percentile(values, 50).toFixed(0)} ms`);
    report(`from a saved change to the list, ${where}, ${way}, p99`, percentile(values, 99), { atMost }, " ms");
  }
}
