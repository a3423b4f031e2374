import { db } from "@/lib/store/db/database";

/** One limit that a call has to find room in. */
export interface AskedLimit {
  /** What is limited and for whom; equal keys share one count. */
  readonly key: string;
  /** A window counts the calls that begin in it; a lease is held while a call runs. */
  readonly kind: "window" | "lease";
  /** How many calls it holds. */
  readonly cap: number;
  /** Length of the window; for a lease when it ends by itself, should its process die. */
  readonly seconds: number;
}

/** A limit that has no room, and when it has some again. */
export interface FullLimit {
  readonly key: string;
  readonly endsAt: Date;
}

/** Counts calls for all instances of the house. */
export interface LimitStore {
  /** Counts the call against all of these limits, or against none: then the ones that are full. */
  take(asked: readonly AskedLimit[], callId: string, now: number): Promise<readonly FullLimit[]>;
  /** Gives back the leases of a call. */
  release(callId: string): Promise<void>;
}

/** The counters in Postgres, one statement each (the function `take_limits`). */
export const storedLimits: LimitStore = {
  take: (asked, callId, now) =>
    db().$queryRaw<FullLimit[]>`
      SELECT "key", "endsAt" FROM take_limits(${JSON.stringify(asked)}::jsonb, ${callId}, ${new Date(now).toISOString()}::timestamptz)`,
  release: async (callId) => {
    await db().$executeRaw`DELETE FROM limit_lease WHERE holder = ${callId}`;
  },
};

/**
 * Deletes what has ended; nothing reads it any more. A call that counts against several at this moment has them locked, one
 * after the other: what waited for it here could be what it waits for.
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
