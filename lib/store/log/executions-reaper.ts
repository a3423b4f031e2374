import { randomUUID } from "node:crypto";
import { singleton } from "@/lib/process/singleton";
import { announceQueued } from "@/lib/store/calls/queued-calls";
import { bulkDb, db } from "@/lib/store/db/database";
import { MAX_CALL_MS } from "@/lib/store/log/execution-filters";
import { Prisma } from "@/lib/store/generated/client";

// Ends the calls of processes that died or lost the store: without an outcome, the log would show them as running forever.

/** A longer pause between two heartbeats means that this process missed one. Then it waits before it counts other processes as dead. */
const MISSED_MS = 18_000;
const RECOVERED_MS = 15_000;
/** A process without a heartbeat for this long counts as dead. */
const SILENT_MS = 30_000;
/** After this time, a statement whose answer was lost has either run or never will. */
const UNFINISHED_MS = 60_000;
/** Limit of remembered calls. Only calls at the moment of the store's loss matter: later calls write nothing. */
const MAX_UNFINISHED = 10_000;

interface Pulse {
  readonly instance: string;
  first: Promise<void> | null;
  /** The last heartbeat, and the time since which no beat was missed, on a monotonic clock. */
  beatAt: number | null;
  heardSince: number;
  /** Calls whose rows may be incomplete, and when that was noted, epoch milliseconds. */
  readonly unfinished: Map<string, number>;
}

const pulse = singleton<Pulse>("Pulse", () => ({
  instance: randomUUID(),
  first: null,
  beatAt: null,
  heardSince: Number.NEGATIVE_INFINITY,
  unfinished: new Map(),
}));

/**
 * Returns the name of this process in the log, after its first heartbeat. Without a heartbeat, other processes would close
 * its intents. The first call of this function sends it; the job continues with `sendHeartbeat`.
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
}

/**
 * Sends a heartbeat, and closes calls of this process and of dead ones. Does nothing in a process that has no name in the
 * log yet, such as an app in which nobody has tried a tool.
 */
export async function sendHeartbeat(): Promise<void> {
  const own = pulse();
  if (own.first === null) return;
  const now = await beat(own);
  // A failure of one does not stop the other.
  const [closed, reaped] = await Promise.allSettled([closeUnfinished(now), reapSilent(now)]);
  for (const one of [closed, reaped]) if (one.status === "rejected") throw one.reason;
}

/** Beats with the database's clock and returns its time. A wrong clock of one process must not make others look dead. */
async function beat(own: Pulse): Promise<Date> {
  const [row] = await db().$queryRaw<{ seenAt: Date }[]>`
    INSERT INTO instance (id, "seenAt") VALUES (${own.instance}, now())
    ON CONFLICT (id) DO UPDATE SET "seenAt" = EXCLUDED."seenAt" RETURNING "seenAt"`;
  if (row === undefined) throw new Error("the store returned no time for this process's heartbeat");
  const at = performance.now();
  if (own.beatAt !== null && at - own.beatAt > MISSED_MS) own.heardSince = at;
  own.beatAt = at;
  return row.seenAt;
}

/**
 * Remembers a call of this process whose rows may be incomplete, because the store was lost. Other processes close no
 * intents of a living one, so a later beat of this process does.
 */
export function noteUnfinished(callId: string): void {
  const { unfinished } = pulse();
  if (unfinished.size < MAX_UNFINISHED) unfinished.set(callId, Date.now());
}

/** Closes the open intents of the remembered calls and frees the keys of those without an intent. Returns how many it closed. */
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

/** A store that this process lost was lost to living processes too. They get time for a new heartbeat first. */
async function reapSilent(now: Date): Promise<void> {
  if (performance.now() - pulse().heardSince >= RECOVERED_MS) await reapInterrupted(now);
}

/**
 * Closes the intents of dead processes; their effect is unknown (docs/reference/execution.md#pipeline). Deletes the process
 * in the same transaction, so a death searches the log only once. Safe in several processes at once. Returns how many
 * intents it closed.
 */
export async function reapInterrupted(now: Date): Promise<number> {
  const silentSince = new Date(now.getTime() - SILENT_MS);
  return bulkDb().$transaction(async (transaction) => {
    const gone = await transaction.$queryRaw<{ id: string; seenAt: Date }[]>`
      SELECT id, "seenAt" FROM instance WHERE "seenAt" < ${silentSince.toISOString()}::timestamptz FOR UPDATE SKIP LOCKED`;
    let closed = 0;
    for (const { id, seenAt } of gone) {
      await queueAgain(transaction, id);
      closed += await closeIntentsOf(transaction, id, new Date(seenAt.getTime() - MAX_CALL_MS), now);
      await transaction.$executeRaw`DELETE FROM source_breaker WHERE instance = ${id}`;
      await transaction.$executeRaw`DELETE FROM instance WHERE id = ${id}`;
    }
    return closed;
  });
}

/**
 * Queues a dead process's repeatable calls again unless they were cancelled; their intents stay open. A call with an
 * outcome in the log has run, and that outcome is its answer.
 */
async function queueAgain(transaction: Prisma.TransactionClient, instance: string): Promise<void> {
  const queued = await transaction.$executeRaw`
    UPDATE kept_call SET status = 'queued', instance = NULL
    WHERE instance = ${instance} AND status = 'running' AND repeatable AND NOT cancelled AND job IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM execution_outcome outcome WHERE outcome."callId" = kept_call."callId")`;
  if (queued > 0) await announceQueued(transaction);
}

/**
 * Closes a process's open calls: those that it claimed from the queue, and those that it logged outside the queue. A
 * call with a `kept_call` row belongs to the process that this row names.
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

/** Frees idempotency keys without an intent: their calls never ran. */
async function freeKeys(transaction: Prisma.TransactionClient, condition: Prisma.Sql): Promise<void> {
  await transaction.$executeRaw`
    DELETE FROM kept_call WHERE ${condition} AND status = 'running'
      AND NOT EXISTS (SELECT 1 FROM execution WHERE execution."callId" = kept_call."callId")`;
}

/** Closes the intents without an outcome that match a condition on them and their `kept_call` rows. Returns their ids. */
async function closeIntents(transaction: Prisma.TransactionClient, open: Prisma.Sql, now: Date): Promise<string[]> {
  const error = {
    code: "interrupted",
    message: "The process ended during the call; its effect is unknown.",
    retryable: false,
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
