import { setTimeout as delay } from "node:timers/promises";
import { watchHoldUps, type HoldUp } from "@/bench/support/held-up";
import { forgetPeak, measuredApp, peakMemory, residentMemory } from "@/bench/support/measured-app";
import { measuredInstallation } from "@/bench/support/measured-installation";
import type { ImportApplied, ImportApplying, ImportJob } from "@/lib/contracts/sources/import-job";
import { serve } from "@/test/support/servers/serve";

/** One import from end to end. */
export interface ImportRun {
  readonly what: string;
  readonly seconds: number;
  /** Of the server's event loop. */
  readonly longest: HoldUp;
  /** Of a process that did nothing meanwhile: what the machine's other work does to one. */
  readonly atRest: HoldUp;
  readonly added: number;
  readonly unchanged: number;
  /** Seconds from sending the document to its plan. */
  readonly planned: number;
  /** Seconds that agents were told to come again (503) after the import was applied. */
  readonly refused: number;
  /** Megabytes of the server: the most since the import began, beyond what it had before. */
  readonly memory: number;
}

/** How often the page looks at a running import, in milliseconds. */
const LOOK_MS = 300;

/**
 * Imports a document into our server as the page does, beside 10,000 tools under 1,000 policies: as a file, and once more
 * from its address. What is loaded and compiled at a first use is no part of an import.
 */
export async function importThroughServer(document: string, again = true): Promise<readonly ImportRun[]> {
  /** What is stopped at the end, whatever happened. */
  const opened: (() => Promise<void> | void)[] = [];
  try {
    const publisher = await serve(() => Promise.resolve(new Response(document)));
    opened.push(publisher.close);
    const installation = await measuredInstallation({ env: { OUTBOUND_ALLOW: publisher.host } });
    opened.push(installation.stop);
    const holdUps = watchHoldUps();
    opened.push(holdUps.stop);
    const app = await measuredApp("ours", {}, { ...installation.env, ...holdUps.env });
    opened.push(app.remove);
    const server = await app.serve("server");
    opened.push(server.stop);
    const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
    const ask = async <T>(path: string, body?: object): Promise<T> => {
      const headers = { ...bearer(installation.token), "content-type": "application/json" };
      const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
      return answerOf<T>(await fetch(`${server.url}/api/admin/imports${path}`, { headers, ...sent }));
    };
    const imported = async (input: object) => {
      const begun = performance.now();
      const { id } = await ask<{ id: string }>("", input);
      const { plan } = await ended(() => ask<ImportJob>(`/${id}`));
      const planned = (performance.now() - begun) / 1000;
      const { revision } = await applied(id);
      const list = `${server.url}/api/agents/tools?limit=1&min_revision=${revision}`;
      const refused = await untilServed(() => fetch(list, { headers: bearer(installation.apiKey) }));
      return { added: plan.added.length, unchanged: plan.unchanged.length, planned, refused };
    };
    const applied = async (id: string): Promise<ImportApplied> => {
      const answer = await ask<ImportApplied | ImportApplying>(`/${id}/apply`, { operations: "all" });
      if ("revision" in answer) return answer;
      const { applied: done, error } = await ended(() => ask<ImportJob>(`/${id}`));
      if (done === null) throw new Error(error ?? "The import was not applied.");
      return done;
    };
    const measured = async (what: string, input: object): Promise<ImportRun> => {
      await Promise.all([holdUps.longest(server.pid), holdUps.longest(holdUps.idle)]);
      const before = residentMemory(server.pid);
      forgetPeak(server.pid);
      const begun = performance.now();
      const counted = await imported(input);
      const memory = peakMemory(server.pid) - before;
      const seconds = (performance.now() - begun) / 1000;
      const [longest, atRest] = await Promise.all([holdUps.longest(server.pid), holdUps.longest(holdUps.idle)]);
      return { what, seconds, longest, atRest, memory, ...counted };
    };
    await imported({ source: "warm", document: JSON.stringify({ openapi: "3.1.0", paths: {} }) });
    const first = await measured("a first import, of a file", { source: "large", document });
    if (!again) return [first];
    return [first, await measured("the same again, from its address", { source: "large", url: publisher.origin })];
  } finally {
    for (const close of opened.toReversed()) await close();
  }
}

/** How long the server is asked again, in milliseconds: an installation that takes longer serves nobody. */
const PATIENCE_MS = 60_000;

/** Asks until the answer is no 503; answers for how many seconds it was one. The tools are in use from then on. */
async function untilServed(ask: () => Promise<Response>): Promise<number> {
  const begun = performance.now();
  let since: number | null = null;
  for (;;) {
    const response = await ask();
    const now = performance.now();
    if (response.status !== 503 || now - begun > PATIENCE_MS) {
      await answerOf(response);
      return since === null ? 0 : (now - since) / 1000;
    }
    since ??= now;
    await response.arrayBuffer();
    await delay(LOOK_MS);
  }
}

async function ended(look: () => Promise<ImportJob>): Promise<ImportJob> {
  for (;;) {
    const job = await look();
    if (job.status === "failed") throw new Error(job.error ?? "The import failed.");
    if (job.status !== "running" && job.status !== "applying") return job;
    await delay(LOOK_MS);
  }
}

async function answerOf<T>(response: Response): Promise<T> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${text}`);
  return JSON.parse(text) as T;
}
