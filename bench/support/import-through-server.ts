import { setTimeout as delay } from "node:timers/promises";
import { watchHoldUps, type HoldUp } from "@/bench/support/held-up";
import { forgetPeak, measuredApp, peakMemory, residentMemory } from "@/bench/support/servers/measured-app";
import { measuredInstallation } from "@/bench/support/servers/measured-installation";
import type { ImportApplied, ImportApplying, ImportJob } from "@/lib/contracts/sources/import-job";
import { serve } from "@/test/support/servers/serve";

/** One import from end to end. */
export interface ImportRun {
  readonly what: string;
  readonly seconds: number;
  /** The longest hold-up of the server's event loop. */
  readonly longest: HoldUp;
  /** The longest hold-up of an idle process: what other programs on the machine add. */
  readonly atRest: HoldUp;
  readonly added: number;
  readonly unchanged: number;
  /** Seconds from the request to the plan. */
  readonly planned: number;
  /** Seconds for which agents got a 503 after the import was applied. */
  readonly refused: number;
  /** Megabytes that the server's memory grew at most during the import. */
  readonly memory: number;
}

/** Milliseconds between two requests of the page for a running import. */
const POLL_MS = 300;

/**
/**
 * Imports documents into our server as the page does, next to 10,000 tools under 1,000 policies: each as a file, the first
 * once more from its address. Loading and compiling at a first use are excluded.
 */
export async function importThroughServer(first: string, ...others: readonly string[]): Promise<readonly ImportRun[]> {
  /** Functions that stop what was started, run at the end and after a failure. */
  const opened: (() => Promise<void> | void)[] = [];
  try {
    const publisher = await serve(() => Promise.resolve(new Response(first)));
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
    const runs = [
      await measured("a first import, of a file", { source: "large", document: first }),
      await measured("the same again, from its address", { source: "large", url: publisher.origin }),
    ];
    for (const [at, document] of others.entries())
      runs.push(await measured("a first import, of a file", { source: `other-${at}`, document }));
    return runs;
  } finally {
    for (const close of opened.toReversed()) await close();
  }
}

/** Milliseconds for which a request is repeated: a server that takes longer counts as failed. */
const TIMEOUT_MS = 60_000;

/** Repeats a request until its answer is no 503; answers for how many seconds it was one. The tools are then in use. */
async function untilServed(ask: () => Promise<Response>): Promise<number> {
  const begun = performance.now();
  let since: number | null = null;
  for (;;) {
    const response = await ask();
    const now = performance.now();
    if (response.status !== 503 || now - begun > TIMEOUT_MS) {
      await answerOf(response);
      return since === null ? 0 : (now - since) / 1000;
    }
    since ??= now;
    await response.arrayBuffer();
    await delay(POLL_MS);
  }
}

async function ended(look: () => Promise<ImportJob>): Promise<ImportJob> {
  for (;;) {
    const job = await look();
    if (job.status === "failed") throw new Error(job.error ?? "The import failed.");
    if (job.status !== "running" && job.status !== "applying") return job;
    await delay(POLL_MS);
  }
}

async function answerOf<T>(response: Response): Promise<T> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${text}`);
  return JSON.parse(text) as T;
}
