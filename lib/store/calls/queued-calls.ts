import { open } from "@/lib/store/keys/cipher";
import { db } from "@/lib/store/db/database";
import type { Prisma } from "@/lib/store/generated/client";

/** The Postgres channel that announces queued calls. */
export const CALL_QUEUED = "call_queued";

/** Seconds until a released call can be claimed again. */
const RELEASED_SECONDS = 2;

/** A call that this process has claimed. */
export interface ClaimedCall {
  readonly callId: string;
  /** Its job as JSON text; `null` when no current master key opens it. */
  readonly text: string | null;
}

/** Announces to all processes that calls were queued, in the transaction that queues them. */
export async function announceQueued(transaction: Prisma.TransactionClient): Promise<void> {
  await transaction.$executeRaw`SELECT pg_notify(${CALL_QUEUED}, '')`;
}

/**
 * Claims up to `most` queued calls for this process: those that were never released, the oldest first, then those that are
 * due the longest. So calls that wait for a full place do not hold up new ones. After the claim a call runs at most once,
 * unless it is repeatable.
 */
export async function claimCalls(instance: string, most: number): Promise<ClaimedCall[]> {
  const rows = await db().$queryRaw<SealedJob[]>`
    UPDATE kept_call SET status = 'running', instance = ${instance} WHERE "callId" IN (
      SELECT "callId" FROM kept_call
      WHERE status = 'queued' AND NOT cancelled AND ("dueAt" IS NULL OR "dueAt" <= now())
      ORDER BY "dueAt" NULLS FIRST, at LIMIT ${most} FOR UPDATE SKIP LOCKED)
    RETURNING "callId", job`;
  return rows.map(toClaimed);
}

interface SealedJob {
  readonly callId: string;
  readonly job: string | null;
}

function toClaimed({ callId, job }: SealedJob): ClaimedCall {
  return { callId, text: job === null ? null : open("calls", job, callId) };
}

/**
 * Returns calls to the queue that a claim gave to this process although its answer was lost: they have not begun. Those
 * that were cancelled since are returned instead: nobody else ends them while this process lives.
 *
 * @param held the calls that this process runs
 */
export async function releaseLostClaims(instance: string, held: readonly string[]): Promise<ClaimedCall[]> {
  const lost = await db().$queryRaw<(SealedJob & { cancelled: boolean })[]>`
    UPDATE kept_call SET status = CASE WHEN cancelled THEN status ELSE 'queued' END,
      instance = CASE WHEN cancelled THEN instance END
    WHERE instance = ${instance} AND status = 'running' AND job IS NOT NULL AND "callId" <> ALL (${[...held]}::text[])
    RETURNING "callId", job, cancelled`;
  return lost.filter(({ cancelled }) => cancelled).map(toClaimed);
}

/**
 * Returns a call to the queue that this process cannot run now. Returns false if it was cancelled meanwhile, so that this
 * process ends it. May be repeated when its answer was lost.
 */
export async function releaseCall(callId: string): Promise<boolean> {
  await db().$executeRaw`
    UPDATE kept_call SET status = 'queued', instance = NULL, "dueAt" = now() + make_interval(secs => ${RELEASED_SECONDS})
    WHERE "callId" = ${callId} AND status = 'running' AND NOT cancelled`;
  return (await db().keptCall.count({ where: { callId, status: "running", cancelled: true } })) === 0;
}
