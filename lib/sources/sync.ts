import { storedSentence } from "@/lib/audit/record/redact";
import { AppError } from "@/lib/errors";
import { outbound, type Outbound } from "@/lib/outbound/fetch";
import { applySync } from "@/lib/sources/apply-sync";
import { isImportedKind, SOURCE_KINDS } from "@/lib/resources/source-kinds";
import { startImport } from "@/lib/sources/import/import";
import { failImportJob } from "@/lib/store/sources/import-jobs";
import { findSource } from "@/lib/store/sources/source-tools";
import { claimDueSync, claimSync, endSync } from "@/lib/store/sources/source-syncs";
import type { Actor } from "@/lib/store/save/write";
import { log } from "@/lib/telemetry/log";

/** The actor of scheduled syncs. */
const CLOCK: Actor = { kind: "system", name: "scheduled sync", role: "editor" };
/** Most syncs that one check starts. Documents are large, and other processes start syncs too. */
const MAX_STARTED = 2;

/**
 * Starts a sync of a source from its stored address and returns the import's id. `applySync` applies the result.
 *
 * @param person the id of the person who starts it, for a source that requires the user's own sign-in
 * @throws AppError `not_found`; `conflict` for a source without an address, or one that is being synchronised
 */
export async function startSync(
  actor: Actor,
  name: string,
  send: Outbound = outbound,
  person: string | null = null,
): Promise<string> {
  const source = await findSource(name);
  if (source === null) throw new AppError("not_found", `There is no source \`${name}\`.`);
  if (!isImportedKind(source.kind))
    throw new AppError(
      "conflict",
      `The source \`${name}\` is of the kind \`${source.kind}\`: it has no document to read.`,
    );
  if (source.url === null && !SOURCE_KINDS[source.kind].command)
    throw new AppError("conflict", `The source \`${name}\` has no URL: set one, then sync.`);
  if (!(await claimSync(name, new Date())))
    throw new AppError("conflict", `The source \`${name}\` has a sync in progress: wait until it ends.`);
  return runSync(actor, name, send, person);
}

/** Starts due syncs and returns how many. Only one process starts each of them. */
export async function startDueSyncs(now: Date, send: Outbound = outbound): Promise<number> {
  for (let begun = 0; begun < MAX_STARTED; begun += 1) {
    const source = await claimDueSync(now);
    if (source === null) return begun;
    // `runSync` stores the reason in the source's health.
    await runSync(CLOCK, source, send, null).catch(() => {});
  }
  return MAX_STARTED;
}

/** Runs a claimed sync. Releases the claim with the result in every case, and before the import says that it ended. */
async function runSync(actor: Actor, source: string, send: Outbound, person: string | null): Promise<string> {
  try {
    return await startImport(actor, { source }, send, (id, error) => finishSync(actor, source, id, error), person);
  } catch (error) {
    await end(source, sentenceOf(error));
    throw error;
  }
}

async function finishSync(actor: Actor, source: string, id: string, failed: string | null): Promise<void> {
  if (failed !== null) return end(source, failed);
  try {
    await applySync(actor, id);
  } catch (cause) {
    const error = sentenceOf(cause);
    if (!(cause instanceof AppError)) log.error({ err: cause, source }, "A sync could not be applied.");
    await end(source, error);
    await failImportJob(id, error).catch((failure: unknown) =>
      log.error({ err: failure, id }, "The failure of an import could not be written down."),
    );
  }
}

/** Releases the claim. Never rejects: a claim that is not released expires by itself. */
async function end(source: string, error: string | null): Promise<void> {
  await endSync(source, error, new Date()).catch((cause: unknown) =>
    log.error({ err: cause, source }, "How a sync went could not be written down."),
  );
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof AppError)) return "The server failed.";
  return storedSentence([error.message, ...error.errors.map(({ message }) => message)].join(" "), []);
}
