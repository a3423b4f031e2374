import { once } from "node:events";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import type { ImportRun } from "@/bench/support/import-in-process";
import { applyImport } from "@/lib/sources/apply-import";
import { startImport } from "@/lib/sources/import";
import { closeDatabase } from "@/lib/store/database";
import { getImportJob } from "@/lib/store/import-jobs";
import { closeSnapshot, currentSnapshot } from "@/lib/store/snapshot";

// What a process of the house does for an import: takes the document it is sent, starts the job, follows it as a page
// does, applies the plan, and has the new configuration. Says how long that took and how long the event loop stood still.

const ACTOR = { kind: "system", name: "bench", role: "admin" } as const;
const LOOK_MS = 250;

const [document] = (await once(process, "message")) as [string];
// What is loaded and compiled at a first use is no part of an import.
await startedOnce("warm", JSON.stringify({ openapi: "3.1.0", paths: {} }));
const runs: ImportRun[] = [];
for (const what of ["a first import", "the same again"]) runs.push(await measure(what));
closeSnapshot();
await closeDatabase();
process.send?.(runs);

async function measure(what: string): Promise<ImportRun> {
  const begun = performance.now();
  const { made, longest } = await heldUp(() => startedOnce("large", document));
  const seconds = (performance.now() - begun) / 1000;
  const atRest = (await heldUp(() => delay(seconds * 1000))).longest;
  return { what, seconds, longest, atRest, ...made };
}

async function heldUp<Made>(work: () => Promise<Made>): Promise<{ readonly made: Made; readonly longest: number }> {
  const held = monitorEventLoopDelay({ resolution: 5 });
  held.enable();
  const made = await work();
  held.disable();
  return { made, longest: held.max / 1e6 };
}

async function startedOnce(source: string, text: string): Promise<Pick<ImportRun, "added" | "unchanged">> {
  const id = await startImport(ACTOR, { source, document: text });
  for (;;) {
    const { status, error, plan } = await getImportJob(id);
    if (status === "failed") throw new Error(error ?? "The import failed.");
    if (status === "planned") {
      const { revision } = await applyImport(ACTOR, id, "all");
      await currentSnapshot({ minRevision: revision });
      return { added: plan.added.length, unchanged: plan.unchanged.length };
    }
    await delay(LOOK_MS);
  }
}
