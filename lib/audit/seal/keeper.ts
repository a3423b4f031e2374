import { announceDamagedCheckpoints, announceRollback, announceUnsealed } from "@/lib/audit/seal/alarm";
import { isDamaged, newestOf, type CheckpointStore } from "@/lib/audit/seal/checkpoint";
import { sealHash } from "@/lib/audit/seal/seal";
import { sealSettled } from "@/lib/audit/seal/sealer";
import type { SignedSeal } from "@/lib/contracts/log/seal";
import { logSession } from "@/lib/store/db/log-session";
import { prepareMonths, readLastSeal, readProtection, readSealsAfter } from "@/lib/store/audit/seals";
import { log } from "@/lib/telemetry/log";

/** Milliseconds between two reads of a checkpoint store, and between two writes to it. */
const CHECKPOINT_MS = 60_000;
/** Milliseconds between two checks for missing month tables. */
const MONTHS_MS = 3_600_000;
/** Milliseconds of failed sealing after which an alarm is sent, and between two alarms. */
const PATIENCE_MS = 60_000;

/**
 * Seals settled rows, creates the tables of coming months, copies seals to the checkpoint stores, and checks that the
 * database still has their seals. Only one process seals at a time.
 */
export class LogKeeper {
  readonly #stores: readonly CheckpointStore[];
  #comparedAt = 0;
  #rememberedAt = 0;
  #monthsAt = 0;
  /** When sealing last succeeded, or the alarm about its failure was last sent. */
  #sealedAt: number | null = null;
  /** Of the last sync; `null` after one that succeeded. */
  #failedSync: { readonly error: unknown } | null = null;
  #unremembered: SignedSeal | null = null;

  constructor(stores: readonly CheckpointStore[]) {
    this.#stores = stores;
  }

  /**
   * Seals pending rows once. A failure of one part stops no other part; the next call tries again.
   *
   * @throws the first failure: the runner logs and counts it
   */
  async sealPending(now: Date): Promise<void> {
    const time = now.getTime();
    this.#sealedAt ??= time;
    const isDue = time - this.#monthsAt >= MONTHS_MS;
    const [prepared] = await Promise.allSettled([isDue ? this.#prepare(time) : null]);
    const [sealed] = await Promise.allSettled([this.#seal(now)]);
    if (sealed.status === "fulfilled") this.#sealedAt = time;
    else if (time - this.#sealedAt >= PATIENCE_MS) {
      this.#sealedAt = time;
      await Promise.allSettled([this.#tellUnsealed(now)]);
    }
    for (const one of [prepared, sealed]) if (one.status === "rejected") throw one.reason;
  }

  /**
   * Compares seals with the checkpoint stores, and copies the last seal there. Runs beside sealing, because a store can
   * be slow.
   *
   * @throws the failure of the last sync until a sync succeeds, so that the job does not count as succeeded in between
   */
  async syncCheckpoints(now: Date): Promise<void> {
    const time = now.getTime();
    const mustCopy = this.#unremembered !== null && time - this.#rememberedAt >= CHECKPOINT_MS;
    if (mustCopy || time - this.#comparedAt >= CHECKPOINT_MS) {
      const [synced] = await Promise.allSettled([this.#sync(time)]);
      this.#failedSync = synced.status === "rejected" ? { error: synced.reason } : null;
    }
    if (this.#failedSync !== null) throw this.#failedSync.error;
  }

  async #seal(now: Date): Promise<void> {
    this.#unremembered = (await sealSettled(() => now)).at(-1) ?? this.#unremembered;
  }

  async #prepare(time: number): Promise<void> {
    await logSession("add", prepareMonths);
    if (this.#monthsAt === 0 && (await logSession("read", readProtection)) === "triggers")
      log.warn("The database's user may not make roles: the log is append-only by trigger alone (docs/audit.md).");
    this.#monthsAt = time;
  }

  /**
   * Compares before it writes, in the same run: a store that holds only the last checkpoint would lose the proof of a
   * rollback. Writes to every store that it has read, even when others fail; after a failure it writes to all again.
   */
  async #sync(time: number): Promise<void> {
    this.#comparedAt = time;
    const reads = await Promise.allSettled(this.#stores.map((store) => store.readLast()));
    if (reads.some((read) => read.status === "rejected" && isDamaged(read.reason)))
      await announceDamagedCheckpoints(new Date(time));
    const newest = newestOf(reads.flatMap((read) => (read.status === "fulfilled" ? (read.value ?? []) : [])));
    if (newest !== null && !(await this.#isKnown(newest))) return this.#tellTurnedBack(newest);
    const copied = this.#unremembered;
    const seal = await this.#sealToCopy(newest, time);
    const readable = this.#stores.filter((_, index) => reads[index]?.status === "fulfilled");
    const writes = await Promise.allSettled(seal === null ? [] : readable.map(async (store) => store.add(seal)));
    const failed = [...reads, ...writes].find((one) => one.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    // A newer seal may be waiting by now.
    if (seal !== null && this.#unremembered === copied) this.#unremembered = null;
  }

  /**
   * The last seal of any process, when this one has sealed since its last copy. A process may exit within a minute of
   * sealing, before it has copied its last seal, and there may be no other seal for months: then another process copies it.
   */
  async #sealToCopy(newest: SignedSeal | null, time: number): Promise<SignedSeal | null> {
    const last = await logSession("read", readLastSeal);
    const isLeft = last !== null && last.number > (newest?.number ?? 0) && time - Date.parse(last.at) >= CHECKPOINT_MS;
    if (!isLeft && (this.#unremembered === null || time - this.#rememberedAt < CHECKPOINT_MS)) return null;
    this.#rememberedAt = time;
    return last;
  }

  async #isKnown(checkpoint: SignedSeal): Promise<boolean> {
    const [stored] = await logSession("read", (runQuery) => readSealsAfter(runQuery, checkpoint.number - 1, 1));
    return stored !== undefined && sealHash(stored) === sealHash(checkpoint);
  }

  async #tellTurnedBack(checkpoint: SignedSeal): Promise<void> {
    log.error(
      { seal: checkpoint.number },
      "The database does not know the seal of the last checkpoint: it was turned back, or changed.",
    );
    await announceRollback(checkpoint.number, sealHash(checkpoint));
  }

  async #tellUnsealed(now: Date): Promise<void> {
    log.error("The log has not been sealed for a minute.");
    await announceUnsealed(now);
  }
}
