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
  const claim = await claimSync(name, new Date());
  if (claim === null)
    throw new AppError("conflict", `The source \`${name}\` has a sync in progress: wait until it ends.`);
  return runSync(actor, claim, send, person);
}

/** Starts due syncs and returns how many. Only one process starts each of them. */
export async function startDueSyncs(now: Date, send: Outbound = outbound): Promise<number> {
  for (let begun = 0; begun < MAX_STARTED; begun += 1) {
    const claim = await claimDueSync(now);
    if (claim === null) return begun;
    // `runSync` stores the reason in the source's health.
    await runSync(CLOCK, claim, send, null).catch(() => {});
  }
  return MAX_STARTED;
}

/** Runs a claimed sync. Releases the claim with the result in every case, and before the import says that it ended. */
async function runSync(actor: Actor, claim: SyncClaim, send: Outbound, person: string | null): Promise<string> {
  const { source } = claim;
  const stopKeeping = keepClaim(claim);
  const finish = (id: string, error: string | null) => finishSync(actor, claim, id, error).finally(stopKeeping);
  try {
    return await startImport(actor, { source }, send, finish, person);
  } catch (error) {
    stopKeeping();
    await end(claim, sentenceOf(error));
    throw error;
  }
}

async function finishSync(actor: Actor, claim: SyncClaim, id: string, failed: string | null): Promise<void> {
  if (failed !== null) return end(claim, failed);
  try {
    await applySync(actor, id, claim);
  } catch (cause) {
    const error = sentenceOf(cause);
    if (!(cause instanceof AppError)) log.error({ err: cause, source: claim.source }, "A sync could not be applied.");
    await end(claim, error);
    await failImportJob(id, error).catch((failure: unknown) =>
      log.error({ err: failure, id }, "The failure of an import could not be written down."),
    );
  }
}

/** Releases the claim. Never rejects: a claim that is not released expires by itself. */
async function end(claim: SyncClaim, error: string | null): Promise<void> {
  await endSync(claim, error, new Date()).catch((cause: unknown) =>
    log.error({ err: cause, source: claim.source }, "How a sync went could not be written down."),
  );
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof AppError)) return "The server failed.";
  return storedSentence([error.message, ...error.errors.map(({ message }) => message)].join(" "), []);
}
