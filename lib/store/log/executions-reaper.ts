import { randomUUID } from "node:crypto";
import { expireApprovals } from "@/lib/store/calls/approvals";
import { enqueueCall } from "@/lib/store/calls/call-queue";
import { bulkDb, db } from "@/lib/store/db/database";
import { sweepEvents } from "@/lib/store/events/events";
import { LONGEST_CALL_MS } from "@/lib/store/log/execution-filters";
import { Prisma } from "@/lib/store/generated/client";
import { sweepKept } from "@/lib/store/calls/kept-calls";
import { sweepLimits } from "@/lib/store/calls/limits";
import { sweepSessions } from "@/lib/store/calls/sessions";

/** How often a process says that it is alive. */
const BEAT_MS = 10_000;
/** After a pause this long a beat was missed; then the others have this long to be heard again. */
const MISSED_MS = 18_000;
const HEARD_AGAIN_MS = 15_000;
/** A process that was silent for this long is gone. */
const SILENT_MS = 30_000;
/** A statement whose answer was lost has been carried out by then, or never will be. */
const UNFINISHED_MS = 60_000;
/** Those of the moment in which the store was lost matter: nothing is written of the ones that come while it is away. */
const MOST_UNFINISHED = 10_000;

interface Pulse {
  readonly instance: string;
  first: Promise<void> | null;
  /** When it last said that it is alive, and since when it has missed no beat, on a clock that only goes forward. */
  beatAt: number | null;
  heardSince: number;
  /** Calls whose rows may be half there, and since when, in epoch milliseconds. */
  readonly unfinished: Map<string, number>;
}

/** One per process, however many bundles load this file. */
const shared = globalThis as typeof globalThis & { quartermasterPulse?: Pulse };

function pulse(): Pulse {
  return (shared.quartermasterPulse ??= {
    instance: randomUUID(),
    first: null,
    beatAt: null,
    heardSince: Number.NEGATIVE_INFINITY,
    unfinished: new Map(),
  });
}

/**
 * The name of this process in the log, after it has said that it is alive: an intent of a process that nobody
 * has heard of would be taken for a dead one's. From the first call on, it goes on saying so, closes what dead
 * ones left behind, and deletes sessions that expired long ago.
 *
 * @throws when the store is lost
 */
export async function liveInstance(): Promise<string> {
  const own = pulse();
  own.first ??= startBeating(own);
  await own.first;
  return own.instance;
}

async function startBeating(own: Pulse): Promise<void> {
  try {
    await beat(own);
  } catch (error) {
    own.first = null;
    throw error;
  }
  // A store that is lost for a while is heard of by every call; the next beat tries again.
  setInterval(() => void beatAndTidy(own).catch(() => {}), BEAT_MS).unref();
}

/** What each beat does, one after the other. */
const TIDYING: readonly ((now: Date) => Promise<unknown>)[] = [
  closeUnfinished,
  reapSilent,
  expireApprovals,
  sweepSessions,
  sweepLimits,
  sweepKept,
  sweepEvents,
];

async function beatAndTidy(own: Pulse): Promise<void> {
  const now = await beat(own);
  // One that fails keeps none of the others from its turn, and has another at the next beat.
  for (const tidy of TIDYING) await tidy(now).catch(() => {});
}

/** By the database's clock, which it answers: one process's own may be wrong, and would take the others for dead. */
async function beat(own: Pulse): Promise<Date> {
  const [row] = await db().$queryRaw<{ seenAt: Date }[]>`
    INSERT INTO instance (id, "seenAt") VALUES (${own.instance}, now())
    ON CONFLICT (id) DO UPDATE SET "seenAt" = EXCLUDED."seenAt" RETURNING "seenAt"`;
  if (row === undefined) throw new Error("the store did not say when it heard of this process");
  const at = performance.now();
  if (own.beatAt !== null && at - own.beatAt > MISSED_MS) own.heardSince = at;
  own.beatAt = at;
  return row.seenAt;
}

/**
 * Notes a call of this process that has ended, or never ran, while the store did not say whether its rows are written. The
 * process lives on, so no other closes what is left open of it: a beat of its own does.
 */
export function noteUnfinished(callId: string): void {
  const { unfinished } = pulse();
  if (unfinished.size < MOST_UNFINISHED) unfinished.set(callId, Date.now());
}

/** Closes the open intents among the calls that were noted, and frees the keys of those that have none. Returns how many intents they were. */
export async function closeUnfinished(now: Date): Promise<number> {
  const { unfinished } = pulse();
  if (unfinished.size === 0) return 0;
  const noted = [...unfinished];
  const ids = noted.map(([callId]) => callId);
  const closed = await db().$transaction(async (transaction) => {
    const open = Prisma.sql`execution."callId" = ANY (${ids}::text[]) AND NOT COALESCE(kept.later, false)`;
    const intents = await closeIntents(transaction, open, now);
    await freeKeys(transaction, Prisma.sql`kept_call."callId" = ANY (${ids}::text[])`);
    await transaction.$executeRaw`
      UPDATE agent_session SET holder = NULL FROM execution
      WHERE execution."callId" = ANY (${intents}::text[]) AND agent_session.id = execution.session AND holder = execution."callId"`;
    return intents;
  });
  for (const callId of closed) unfinished.delete(callId);
  for (const [callId, since] of noted) if (Date.now() - since > UNFINISHED_MS) unfinished.delete(callId);
  return closed.length;
}

/** A store that was lost to this process was lost to others too, which live: they have time to be heard again. */
async function reapSilent(now: Date): Promise<void> {
  if (performance.now() - pulse().heardSince >= HEARD_AGAIN_MS) await reapInterrupted(now);
}

/**
 * Closes the intents of processes that are gone: their effect is unknown (docs/reference/execution.md#pipeline). A process
 * is forgotten in the same transaction, so the log is searched only after a death, and only around it. Runs
 * beside others safely. Returns how many intents it closed.
 */
export async function reapInterrupted(now: Date): Promise<number> {
  const silentSince = new Date(now.getTime() - SILENT_MS);
  return bulkDb().$transaction(async (transaction) => {
    const gone = await transaction.$queryRaw<{ id: string; seenAt: Date }[]>`
      SELECT id, "seenAt" FROM instance WHERE "seenAt" < ${silentSince.toISOString()}::timestamptz FOR UPDATE SKIP LOCKED`;
    let closed = 0;
    for (const { id, seenAt } of gone) {
      await queueAgain(transaction, id);
      closed += await closeIntentsOf(transaction, id, new Date(seenAt.getTime() - LONGEST_CALL_MS), now);
      await transaction.$executeRaw`DELETE FROM source_breaker WHERE instance = ${id}`;
      await transaction.$executeRaw`DELETE FROM instance WHERE id = ${id}`;
    }
    return closed;
  });
}

/**
 * What does no more when it is done twice, and was not given up, is run again by another process; its intent stays open. One
 * whose outcome is in the log has run: that is its answer.
 */
async function queueAgain(transaction: Prisma.TransactionClient, instance: string): Promise<void> {
  const calls = await transaction.$queryRaw<{ callId: string }[]>`
    UPDATE kept_call SET status = 'queued', instance = NULL
    WHERE instance = ${instance} AND status = 'running' AND repeatable AND NOT cancelled AND job IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM execution_outcome outcome WHERE outcome."callId" = kept_call."callId")
    RETURNING "callId"`;
  for (const { callId } of calls) await enqueueCall(transaction, callId);
}

/**
 * A process's open calls are the ones it took on from the queue, and of those it logged the ones that never were in it:
 * a call waits, or runs, where its kept row says.
 */
async function closeIntentsOf(
  transaction: Prisma.TransactionClient,
  instance: string,
  since: Date,
  now: Date,
): Promise<number> {
  const open = Prisma.sql`
    (kept."callId" IS NULL AND execution.instance = ${instance} AND execution."at" >= ${since.toISOString()}::timestamptz)
    OR kept."callId" IN (SELECT "callId" FROM kept_call WHERE instance = ${instance} AND status = 'running')`;
  const closed = await closeIntents(transaction, open, now);
  await freeKeys(transaction, Prisma.sql`instance = ${instance}`);
  await transaction.$executeRaw`
    UPDATE kept_call SET status = 'ended', job = NULL WHERE instance = ${instance} AND status = 'running'`;
  return closed.length;
}

/** A key without an intent is of a call that never ran: it is free. */
async function freeKeys(transaction: Prisma.TransactionClient, whose: Prisma.Sql): Promise<void> {
  await transaction.$executeRaw`
    DELETE FROM kept_call WHERE ${whose} AND status = 'running'
      AND NOT EXISTS (SELECT 1 FROM execution WHERE execution."callId" = kept_call."callId")`;
}

/** Closes those of the intents without an outcome that a condition on them and their kept rows holds for. Returns which. */
async function closeIntents(transaction: Prisma.TransactionClient, open: Prisma.Sql, now: Date): Promise<string[]> {
  const error = {
    code: "interrupted",
    message: "The process ended during the call; its effect is unknown.",
    retryable: true,
  };
  const closed = await transaction.$queryRaw<{ callId: string }[]>`
    INSERT INTO execution_outcome ("callId", "callAt", "at", "status", "code", "reason", "error", "stateAfter", "attempts",
      "gatewayMs", "upstreamMs", "empty")
    SELECT execution."callId", execution."at", ${now.toISOString()}::timestamptz, 'failed', 'interrupted', 'interrupted',
      ${JSON.stringify(error)}::jsonb, execution."stateBefore", 1, NULL, NULL, true
    FROM execution
    LEFT JOIN execution_outcome outcome ON outcome."callId" = execution."callId" AND outcome."callAt" = execution."at"
    LEFT JOIN kept_call kept ON kept."callId" = execution."callId" AND kept.status <> 'ended'
    WHERE outcome."callId" IS NULL AND (${open})
    ON CONFLICT DO NOTHING RETURNING "callId"`;
  const ids = closed.map(({ callId }) => callId);
  await transaction.$executeRaw`SELECT pg_notify('call_ended', id) FROM unnest(${ids}::text[]) AS id`;
  return ids;
}
