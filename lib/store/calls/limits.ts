import { db } from "@/lib/store/db/database";

/** One limit that a call counts against. */
export interface WantedLimit {
  /** What is limited and for whom. Equal keys share one count. */
  readonly key: string;
  /** A window counts the calls that begin in it. A call holds a lease while it runs. */
  readonly kind: "window" | "lease";
  /** How many calls fit. */
  readonly cap: number;
  /** Length of the window, or the time after which a lease ends if its process dies. */
  readonly seconds: number;
}

/** A full limit, and the time when it has room again. */
export interface FullLimit {
  readonly key: string;
  readonly endsAt: Date;
}

/** Counts calls across all instances. */
export interface LimitStore {
  /** Counts the call against all of these limits, or against none and returns the full ones. Its own leases do not count. */
  take(limits: readonly WantedLimit[], callId: string, now: number): Promise<readonly FullLimit[]>;
  /** Releases the leases of a call. */
  release(callId: string): Promise<void>;
}

/** The counters in Postgres, with one statement per operation (the function `take_limits`). */
export const storedLimits: LimitStore = {
  take: (limits, callId, now) =>
    db().$queryRaw<FullLimit[]>`
      SELECT "key", "endsAt" FROM take_limits(${JSON.stringify(limits)}::jsonb, ${callId}, ${new Date(now).toISOString()}::timestamptz)`,
  release: async (callId) => {
    await db().$executeRaw`DELETE FROM limit_lease WHERE holder = ${callId}`;
  },
};

/**
 * Counts uses of a key in a window that begins with its first use. Returns false and counts nothing when they do not fit
 * into the window; the first uses of a window always fit.
 *
 * @param now epoch milliseconds
 * @throws AppError `config_unavailable`
 */
export async function countInWindow(
  { key, cap, seconds }: Pick<WantedLimit, "key" | "cap" | "seconds">,
  uses: number,
  now: number,
): Promise<boolean> {
  const [at, endsAt] = [new Date(now).toISOString(), new Date(now + seconds * 1000).toISOString()];
  const counted = await db().$executeRaw`
    INSERT INTO limit_window AS known ("key", used, "endsAt") VALUES (${key}, ${uses}, ${endsAt}::timestamptz)
    ON CONFLICT ("key") DO UPDATE SET
      used = CASE WHEN known."endsAt" > ${at}::timestamptz THEN known.used + excluded.used ELSE excluded.used END,
      "endsAt" = CASE WHEN known."endsAt" > ${at}::timestamptz THEN known."endsAt" ELSE excluded."endsAt" END
    WHERE known."endsAt" <= ${at}::timestamptz OR known.used + excluded.used <= ${cap}`;
  return counted === 1;
}

/**
 * Deletes ended windows and leases, which nothing reads. Skips locked rows: a call locks its limits one after the other,
 * so waiting for one here could deadlock.
 */
export async function sweepLimits(now: Date): Promise<void> {
  const at = now.toISOString();
  await db().$executeRaw`
    DELETE FROM limit_window WHERE "key" IN (
      SELECT "key" FROM limit_window WHERE "endsAt" < ${at}::timestamptz FOR UPDATE SKIP LOCKED)`;
  await db().$executeRaw`
    DELETE FROM limit_lease WHERE ("key", holder) IN (
      SELECT "key", holder FROM limit_lease WHERE "endsAt" < ${at}::timestamptz FOR UPDATE SKIP LOCKED)`;
}
