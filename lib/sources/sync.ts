import { storedSentence } from "@/lib/audit/record/redact";
import { AppError } from "@/lib/errors";
import { outbound, type Outbound } from "@/lib/outbound/fetch";
import { applySync } from "@/lib/sources/apply-sync";
import { startImport } from "@/lib/sources/import/import";
import { failImportJob } from "@/lib/store/sources/import-jobs";
import { findSource } from "@/lib/store/sources/source-tools";
import { claimDueSync, claimSync, endSync } from "@/lib/store/sources/source-syncs";
import type { Actor } from "@/lib/store/save/write";
import { log } from "@/lib/telemetry/log";

/** Who synchronises by the clock. */
const CLOCK: Actor = { kind: "system", name: "scheduled sync", role: "editor" };
/** How often a process looks for syncs that are due. */
const BEAT_MS = 30_000;
/** So many are begun in one beat: a document is large, and there are other processes. */
const A_BEAT = 2;

/** One clock per process, however many bundles load this file. */
const shared = globalThis as typeof globalThis & { quartermasterSyncs?: NodeJS.Timeout };

/**
 * Starts to synchronise a source from its stored address and answers the import's id: it is read, and what it found
 * is put into the review at once (`applySync`).
 *
 * @throws AppError `not_found`; `conflict` for a source without an address, or one that is being synchronised
 */
export async function startSync(actor: Actor, name: string, send: Outbound = outbound): Promise<string> {
  const source = await findSource(name);
  if (source === null) throw new AppError("not_found", `There is no source \`${name}\`.`);
  if (source.kind !== "openapi" && source.kind !== "mcp")
    throw new AppError(
      "conflict",
      `The source \`${name}\` is of the kind \`${source.kind}\`: there is nothing to read.`,
    );
  if (source.url === null && source.kind === "openapi")
    throw new AppError("conflict", `The source \`${name}\` has no address to read from: give it a URL.`);
  if (!(await claimSync(name, new Date())))
    throw new AppError("conflict", `The source \`${name}\` is being synchronised: wait until that is done.`);
  return runSync(actor, name, send);
}

/** Begins the syncs that are due; each of them is begun by one process only. Answers how many it began. */
export async function startDueSyncs(now: Date, send: Outbound = outbound): Promise<number> {
  for (let begun = 0; begun < A_BEAT; begun += 1) {
    const source = await claimDueSync(now);
    if (source === null) return begun;
    // Why it could not begin is written down as the source's health.
    await runSync(CLOCK, source, send).catch(() => {});
  }
  return A_BEAT;
}

/** Looks for due syncs from now on, for the life of the process. */
export function startSyncClock(): void {
  shared.quartermasterSyncs ??= setInterval(() => {
    // A store that is lost for a while is heard of by every call; the next beat tries again.
    startDueSyncs(new Date()).catch(() => {});
  }, BEAT_MS).unref();
}

/** The claim is held: whatever happens, it is given back with how it went. */
async function runSync(actor: Actor, source: string, send: Outbound): Promise<string> {
  try {
    return await startImport(actor, { source }, send, (id, error) => finishSync(actor, source, id, error));
  } catch (error) {
    await end(source, sentenceOf(error));
    throw error;
  }
}

async function finishSync(actor: Actor, source: string, id: string, failed: string | null): Promise<void> {
  let error = failed;
  if (error === null)
    try {
      await applySync(actor, id);
    } catch (cause) {
      error = sentenceOf(cause);
      if (!(cause instanceof AppError)) log.error({ err: cause, source }, "A sync could not be applied.");
      await failImportJob(id, error).catch((failure: unknown) =>
        log.error({ err: failure, id }, "The failure of an import could not be written down."),
      );
    }
  await end(source, error);
}

/** Never rejects: a right that is not given back expires by itself. */
async function end(source: string, error: string | null): Promise<void> {
  await endSync(source, error, new Date()).catch((cause: unknown) =>
    log.error({ err: cause, source }, "How a sync went could not be written down."),
  );
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof AppError)) return "Something failed on our side.";
  return storedSentence([error.message, ...error.errors.map(({ message }) => message)].join(" "), []);
}
