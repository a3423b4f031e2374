import { storedSentence } from "@/lib/audit/record/redact";
import { AppError } from "@/lib/errors";
import { outbound, type Outbound } from "@/lib/outbound/fetch";
import { applySync } from "@/lib/sources/apply-sync";
import { isImportedKind, SOURCE_KINDS } from "@/lib/resources/source-kinds";
import { startImport } from "@/lib/sources/import/import";
import { failImportJob } from "@/lib/store/sources/import-jobs";
import { findSource } from "@/lib/store/sources/source-tools";
import { claimDueSync, claimSync, endSync, keepClaim, type SyncClaim } from "@/lib/store/sources/source-syncs";
import type { Actor } from "@/lib/store/save/write";
import { log } from "@/lib/telemetry/log";

const SCHEDULER: Actor = { kind: "system", name: "scheduled sync", role: "editor" };
/** The most syncs that one check for due syncs starts: documents are large, and other processes start syncs too. */
const MAX_STARTED = 2;

/**
 * Starts a sync of a source from its stored address and returns the import's id. `applySync` applies the result.
 *
 * @param person the id of the person who starts it, for a source that requires the user's own sign-in
 * @throws AppError `not_found`; `conflict` for a source without an address, or one with a sync in progress
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
  const claim = await claimSync(name, new Date());
  if (claim === null)
    throw new AppError("conflict", `The source \`${name}\` has a sync in progress: wait until it ends.`);
  return runSync(actor, claim, send, person);
}

/** Starts due syncs and returns how many. Only one process starts each of them. */
export async function startDueSyncs(now: Date, send: Outbound = outbound): Promise<number> {
  for (let started = 0; started < MAX_STARTED; started += 1) {
    const claim = await claimDueSync(now);
    if (claim === null) return started;
    // `runSync` stores the reason in the source's health.
    await runSync(SCHEDULER, claim, send, null).catch(() => {});
  }
  return MAX_STARTED;
}

/** Runs a claimed sync. Always releases the claim, at the latest when the import ends: a client may then sync again. */
async function runSync(actor: Actor, claim: SyncClaim, send: Outbound, person: string | null): Promise<string> {
  const { source } = claim;
  const stopExtending = keepClaim(claim);
  const finish = (id: string, error: string | null) => finishSync(actor, claim, id, error).finally(stopExtending);
  try {
    return await startImport(actor, { source }, send, finish, person);
  } catch (error) {
    stopExtending();
    await releaseClaim(claim, sentenceOf(error));
    throw error;
  }
}

async function finishSync(actor: Actor, claim: SyncClaim, id: string, failed: string | null): Promise<void> {
  if (failed !== null) return releaseClaim(claim, failed);
  try {
    await applySync(actor, id, claim);
  } catch (cause) {
    const error = sentenceOf(cause);
    if (!(cause instanceof AppError)) log.error({ err: cause, source: claim.source }, "A sync could not be applied.");
    await releaseClaim(claim, error);
    await failImportJob(id, error).catch((failure: unknown) =>
      log.error({ err: failure, id }, "The failure of an import could not be stored."),
    );
  }
}

/** Releases the claim. Never rejects: a claim that is not released expires by itself. */
async function releaseClaim(claim: SyncClaim, error: string | null): Promise<void> {
  await endSync(claim, error, new Date()).catch((cause: unknown) =>
    log.error({ err: cause, source: claim.source }, "The result of a sync could not be stored."),
  );
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof AppError)) return "The server failed.";
  return storedSentence([error.message, ...error.errors.map(({ message }) => message)].join(" "), []);
}
