import { archiveMonth } from "@/lib/audit/archive/archive";
import type { ArchiveStorage } from "@/lib/audit/archive/archive-storage";
import { dropMonth, planRetention } from "@/lib/audit/archive/retention";
import { AppError } from "@/lib/errors";
import { requestArchive, claimArchiving, endArchiving, noteArchiving } from "@/lib/store/audit/archivings";
import type { Actor } from "@/lib/store/save/change";
import { eraseBefore } from "@/lib/store/audit/erasures";
import { readSettings } from "@/lib/store/config/settings";
import { log } from "@/lib/telemetry/log";

/** Milliseconds between two checks for due steps. */
const PLAN_MS = 3_600_000;
/** The actor of automatic steps. */
const ITSELF: Actor = { kind: "system", name: "retention", role: "admin" };

/**
 * Applies the retention settings, and makes requested archives. Any process may run it: the store records work in
 * progress. Without archive storage nothing is archived, and so nothing is dropped; bodies are still erased.
 */
export class RetentionKeeper {
  readonly #storage: ArchiveStorage | null;
  #plannedAt = 0;

  constructor(storage: ArchiveStorage | null) {
    this.#storage = storage;
  }

  /** Runs one check. A failure is logged and shown on the page, and retried an hour later. */
  async runCheck(now: () => Date): Promise<void> {
    if (now().getTime() - this.#plannedAt >= PLAN_MS) {
      this.#plannedAt = now().getTime();
      await attempt("Old bodies", () => eraseOldBodies(now()));
      await attempt("Old months", () => this.#applyRetention(now));
    }
    await attempt("Archives", () => this.#archive(now));
  }

  /** Requests the archives that are due, and drops the archived months. */
  async #applyRetention(now: () => Date): Promise<void> {
    const storage = this.#storage;
    if (storage === null) return;
    const steps = await planRetention(now());
    const unarchived = new Set(steps.flatMap(({ month, step }) => (step === "archive" ? [month] : [])));
    for (const { month, step } of steps) {
      if (step === "archive") await attempt(month, () => requestArchive(month, ITSELF, now()));
      else if (!unarchived.has(month)) await attempt(month, () => dropMonth(month, { actor: ITSELF, storage, now }));
    }
  }

  async #archive(now: () => Date): Promise<void> {
    const storage = this.#storage;
    const claimed = storage === null ? null : await claimArchiving(now());
    if (claimed === null || storage === null) return;
    let claim = claimed;
    const { month, actor } = claim;
    try {
      const { settings } = await readSettings();
      const onProgress = async (done: number, total: number) => {
        claim = await noteArchiving(claim, done, total, now());
      };
      await archiveMonth(month, { actor, storage, bodies: settings.retention.archiveBodies, onProgress, now });
      await endArchiving(claim, null, now());
      // The next check drops the month if it is due.
      this.#plannedAt = 0;
    } catch (error) {
      log.warn({ err: error, month }, "A month of the log could not be archived.");
      const message =
        error instanceof AppError ? error.message : "The archive could not be written: see the server's log.";
      await endArchiving(claim, message, now());
    }
  }
}

async function eraseOldBodies(now: Date): Promise<void> {
  const { bodyDays } = (await readSettings()).settings.retention;
  if (bodyDays === null) return;
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
  await eraseBefore({ actor: ITSELF, requestId: null }, new Date(today - bodyDays * 86_400_000));
}

async function attempt(what: string, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    log.warn({ err: error }, `${what} failed; the next check tries again.`);
  }
}
