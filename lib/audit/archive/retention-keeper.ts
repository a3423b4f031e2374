import { archiveMonth } from "@/lib/audit/archive/archive";
import type { ArchivePlace } from "@/lib/audit/archive/archive-place";
import { dropMonth, planRetention } from "@/lib/audit/archive/retention";
import { AppError } from "@/lib/errors";
import { askForArchive, claimArchiving, endArchiving, noteArchiving } from "@/lib/store/audit/archivings";
import type { Actor } from "@/lib/store/save/change";
import { eraseBefore } from "@/lib/store/audit/erasures";
import { readSettings } from "@/lib/store/config/settings";
import { log } from "@/lib/telemetry/log";

/** How often it is looked whether an archive was asked for, and what the settings let go. */
const LOOK_MS = 2_000;
const PLAN_MS = 3_600_000;
/** What is done by itself is done under this name. */
const ITSELF: Actor = { kind: "system", name: "retention", role: "admin" };

/**
 * Lets go what the settings say, and makes the archives that are asked for. Any process may: what is under way is in the
 * store. Without a place nothing is archived, and so nothing is dropped; bodies are erased all the same.
 */
export class RetentionKeeper {
  readonly #place: ArchivePlace | null;
  #plannedAt = 0;

  constructor(place: ArchivePlace | null) {
    this.#place = place;
  }

  /** One look. Whatever fails is said in the process's log and on the page, and tried again an hour later. */
  async look(now: () => Date): Promise<void> {
    if (now().getTime() - this.#plannedAt >= PLAN_MS) {
      this.#plannedAt = now().getTime();
      await attempt("Old bodies", () => eraseOldBodies(now()));
      await attempt("Old months", () => this.#letGo(now));
    }
    await attempt("Archives", () => this.#archive(now));
  }

  /** Asks for the archives that are due, and drops the months that have one. */
  async #letGo(now: () => Date): Promise<void> {
    const place = this.#place;
    if (place === null) return;
    const steps = await planRetention(now());
    const unarchived = new Set(steps.flatMap(({ month, step }) => (step === "archive" ? [month] : [])));
    for (const { month, step } of steps) {
      if (step === "archive") await attempt(month, () => askForArchive(month, ITSELF, now()));
      else if (!unarchived.has(month)) await attempt(month, () => dropMonth(month, { actor: ITSELF, place, now }));
    }
  }

  async #archive(now: () => Date): Promise<void> {
    const place = this.#place;
    const claimed = place === null ? null : await claimArchiving(now());
    if (claimed === null || place === null) return;
    const { month, actor } = claimed;
    try {
      const { settings } = await readSettings();
      const onProgress = (done: number, total: number) => noteArchiving(month, done, total, now());
      await archiveMonth(month, { actor, place, bodies: settings.retention.archiveBodies, onProgress, now });
      await endArchiving(month, null, now());
      // If it is due, it is dropped at the next look.
      this.#plannedAt = 0;
    } catch (error) {
      log.warn({ err: error, month }, "A month of the log could not be archived.");
      const said = error instanceof AppError ? error.message : "The place could not be written: see the server's log.";
      await endArchiving(month, said, now());
    }
  }
}

/** Erases the bodies that are older than the settings let them be. */
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
    log.warn({ err: error }, `${what} could not be looked after; it is tried again.`);
  }
}

/** Keeps to the settings of retention from now on, until what it returns is called. */
export function keepRetention(place: ArchivePlace | null): () => void {
  const keeper = new RetentionKeeper(place);
  let looking = false;
  const clock = setInterval(() => {
    if (looking) return;
    looking = true;
    void keeper.look(() => new Date()).finally(() => (looking = false));
  }, LOOK_MS).unref();
  return () => clearInterval(clock);
}
