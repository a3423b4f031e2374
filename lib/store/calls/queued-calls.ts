import { open } from "@/lib/store/keys/cipher";
import { db } from "@/lib/store/db/database";
import type { Prisma } from "@/lib/store/generated/client";

/** The Postgres channel that announces queued calls. */
export const CALL_QUEUED = "call_queued";

/** Seconds until a released call can be claimed again. */
const RELEASED_SECONDS = 2;

/** One claim of a call: a call that was released since has another time. */
interface Claim {
  readonly instance: string;
  /** The end of the pause after the last release; `null` = never released. */
  readonly dueAt: Date | null;
}

/** A call that this process has claimed. */
export interface ClaimedCall extends Claim {
  readonly callId: string;
  /** Its job as JSON text; `null` when no current master key opens it. */
  readonly text: string | null;
}

/** Announces to all processes that calls were queued, in the transaction that queues them. */
export async function announceQueued(transaction: Prisma.TransactionClient): Promise<void> {
  await transaction.$executeRaw`SELECT pg_notify(${CALL_QUEUED}, '')`;
}

/** Makes a returned call due now, and announces it. Does nothing to a call that is claimed, cancelled or ended. */
export async function makeDue(callId: string): Promise<void> {
  await db().$executeRaw`
    WITH due AS (
      UPDATE kept_call SET "dueAt" = now() WHERE "callId" = ${callId} AND status = 'queued' AND "dueAt" > now()
      RETURNING "callId")
    SELECT pg_notify(${CALL_QUEUED}, '') FROM due`;
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
    RETURNING "callId", job, "dueAt"`;
  return rows.map((row) => toClaimed(row, instance));
}

interface SealedJob {
  readonly callId: string;
  readonly job: string | null;
  readonly dueAt: Date | null;
}

function toClaimed({ callId, job, dueAt }: SealedJob, instance: string): ClaimedCall {
  return { callId, instance, dueAt, text: job === null ? null : open("calls", job, callId) };
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
    RETURNING "callId", job, "dueAt", cancelled`;
  return lost.filter(({ cancelled }) => cancelled).map((row) => toClaimed(row, instance));
}

/**
 * Returns a call to the queue that this process cannot run now. Returns false if it was cancelled meanwhile, so that this
 * process ends it. May be repeated when its answer was lost: it releases no later claim.
 */
export async function releaseCall({ callId, instance, dueAt }: Claim & { readonly callId: string }): Promise<boolean> {
  await db().$executeRaw`
    UPDATE kept_call SET status = 'queued', instance = NULL, "dueAt" = now() + make_interval(secs => ${RELEASED_SECONDS})
    WHERE "callId" = ${callId} AND status = 'running' AND instance = ${instance}
      AND "dueAt" IS NOT DISTINCT FROM ${dueAt?.toISOString() ?? null}::timestamptz AND NOT cancelled`;
  const held = { callId, status: "running", instance, dueAt };
  return (await db().keptCall.count({ where: { ...held, cancelled: true } })) === 0;
}
