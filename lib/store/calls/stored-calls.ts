import { keyedDigest, open, seal } from "@/lib/store/keys/cipher";
import { db } from "@/lib/store/db/database";
import { addCallback, type CallbackTarget } from "@/lib/store/events/deliveries";
import { announce } from "@/lib/store/events/events";
import { insertEnd, insertIntent, type EndedCall, type Written } from "@/lib/store/log/executions-log";
import type { Preconditions, Intent } from "@/lib/store/log/executions-rows";
import type { Prisma } from "@/lib/store/generated/client";
import { identityParts, type Principal } from "@/lib/store/calls/sessions";
import { announceQueued } from "@/lib/store/calls/queued-calls";
import { hasReachedWaitingLimit } from "@/lib/store/calls/waiting-calls";

/** Milliseconds for which a caller can read an answer: a day (docs/reference/http.md#agent-api). */
export const ANSWER_RETENTION_MS = 24 * 3_600_000;

/** A caller's idempotency key and the request that it was sent with. */
interface KeyClaim {
  readonly callId: string;
  readonly principal: Principal;
  readonly key: string;
  /** Digest of the request body. */
  readonly bodyDigest: string;
}

/** A call whose state and answer are stored for its caller. */
export interface StoredCall {
  readonly callId: string;
  readonly bodyDigest: string;
  /** `waiting`: for a person's approval. */
  readonly status: "waiting" | "queued" | "running" | "ended";
  readonly cancelled: boolean;
  readonly repeatable: boolean;
  /** Whether the call is async. */
  readonly later: boolean;
  /** JSON text of the answer; `null` before the end, and when the answer could not be stored. */
  readonly answer: string | null;
}

type Stored = NonNullable<Awaited<ReturnType<ReturnType<typeof db>["keptCall"]["findUnique"]>>>;

function principalDigest(principal: Principal): string {
  return keyedDigest("principal", JSON.stringify(identityParts(principal)));
}

/** The stored form of an idempotency key, because clients may use a secret as key. Rows of older versions hold the key itself. */
export function idempotencyDigest(key: string): string {
  return keyedDigest("idempotency key", key);
}

/**
 * Claims an idempotency key for a call. Returns `null` when the call now has it, else the call that has it. A key
 * becomes free a day after its claim, but not before its call has ended.
 */
export async function claimKey(claim: KeyClaim, instance: string, now: number): Promise<StoredCall | null> {
  const principal = principalDigest(claim.principal);
  const key = idempotencyDigest(claim.key);
  const at = new Date(now).toISOString();
  const endsAt = new Date(now + ANSWER_RETENTION_MS).toISOString();
  const taken = await db().$executeRaw`
    INSERT INTO kept_call ("callId", principal, "idempotencyKey", "bodyDigest", status, instance, at, "endsAt")
    SELECT ${claim.callId}, ${principal}, ${key}, ${claim.bodyDigest}, 'running', ${instance}, ${at}::timestamptz, ${endsAt}::timestamptz
    WHERE NOT EXISTS (SELECT FROM kept_call
      WHERE principal = ${principal} AND "idempotencyKey" = ${claim.key}
        AND ("endsAt" > ${at}::timestamptz OR status <> 'ended'))
    ON CONFLICT (principal, "idempotencyKey") DO UPDATE SET "callId" = EXCLUDED."callId", "bodyDigest" = EXCLUDED."bodyDigest",
      status = EXCLUDED.status, instance = EXCLUDED.instance, job = NULL, answer = NULL, cancelled = false, repeatable = false, later = false,
      "dueAt" = NULL, at = EXCLUDED.at, "endsAt" = EXCLUDED."endsAt"
    WHERE kept_call."endsAt" <= EXCLUDED.at AND kept_call.status = 'ended'`;
  if (taken > 0) return null;
  const row = await db().keptCall.findFirst({
    where: {
      principal,
      idempotencyKey: { in: [key, claim.key] },
      OR: [{ endsAt: { gt: new Date(now) } }, { status: { not: "ended" } }],
    },
  });
  // The key became free between the two statements. This call or another one can claim it now.
  return row === null ? claimKey(claim, instance, now) : toStoredCall(row);
}

/** Frees the key of a call that never ran, so that the caller can send the request again. A queued call keeps its key. */
export async function freeKey(callId: string): Promise<void> {
  await db().$executeRaw`DELETE FROM kept_call WHERE "callId" = ${callId} AND status = 'running' AND job IS NULL`;
}

/** What the worker of a queued call needs. Stored sealed, because it holds arguments and a credential. */
export interface QueuedCall {
  readonly principal: Principal;
  /** JSON text. */
  readonly job: string;
  readonly bodyDigest: string;
  readonly repeatable: boolean;
  /** Where to send the call's outcome; `null` = nowhere. */
  readonly callback: CallbackTarget | null;
}

/** The call's properties that its approval is bound to (docs/reference/execution.md#approvals). */
export interface ApprovalRequest {
  readonly toolId: string;
  readonly definitionHash: string;
  readonly argumentsDigest: string;
  /** The time after which nobody can answer it. */
  readonly closesAt: Date;
}

/**
 * Writes the intent and queues the call in one transaction, under the preconditions of `writeIntent`. A call that needs
 * an approval waits for it first.
 *
 * @returns `full` when the caller has WAITING_CALLS_PER_CALLER unfinished calls; nothing is written. Concurrent calls take
 * no lock, so they may exceed that limit by a few. `unknown` when the commit got no answer: its rows may still appear
 */
export async function queueCall(
  intent: Intent,
  preconditions: Preconditions,
  queued: QueuedCall,
  approval: ApprovalRequest | null,
): Promise<Written | "full" | "unknown"> {
  // The commit alone may still fail once this is set.
  let uncommitted: Written | null = null;
  try {
    return await db().$transaction(async (transaction) => {
      if (await hasReachedWaitingLimit(transaction, principalDigest(queued.principal))) return "full";
      const inserted = await insertIntent(transaction, intent, preconditions);
      if (inserted.written) await insertQueued(transaction, intent, queued, approval);
      uncommitted = inserted.written ? inserted : null;
      return inserted;
    });
  } catch (error) {
    if (uncommitted === null) throw error;
    const { callId } = intent;
    const queuedRows = await db()
      .keptCall.count({ where: { callId, later: true } })
      .catch(() => 0);
    return queuedRows > 0 ? uncommitted : "unknown";
  }
}

async function insertQueued(
  transaction: Prisma.TransactionClient,
  { callId, at }: Intent,
  queued: QueuedCall,
  approval: ApprovalRequest | null,
): Promise<void> {
  const row = {
    status: approval === null ? "queued" : "waiting",
    instance: null,
    job: seal("calls", queued.job, callId),
    repeatable: queued.repeatable,
    later: true,
  };
  const { bodyDigest } = queued;
  const principal = principalDigest(queued.principal);
  const endsAt = new Date(at.getTime() + ANSWER_RETENTION_MS);
  await transaction.keptCall.upsert({
    where: { callId },
    create: { callId, principal, bodyDigest, at, endsAt, ...row },
    update: row,
  });
  if (queued.callback !== null) await addCallback(transaction, callId, queued.callback, at);
  if (approval === null) await announceQueued(transaction);
  else {
    const { issuer, subject, agent } = queued.principal;
    await transaction.approval.create({
      data: { callId, status: "waiting", at, issuer, subject, agent, ...approval },
    });
    await announce(transaction, {
      type: "approval.requested",
      path: `/admin/approvals/${callId}`,
      data: {
        call_id: callId,
        tool_id: approval.toolId,
        issuer,
        subject,
        agent,
        expires_at: approval.closesAt.toISOString(),
      },
    });
  }
}

/** Stores the answer (JSON text) for the caller and notifies its followers. The first stored answer stays. */
export async function storeAnswer(callId: string, answer: string): Promise<void> {
  await db().$transaction([
    db()
      .$executeRaw`UPDATE kept_call SET status = 'ended', job = NULL, answer = ${seal("calls", answer, callId)} WHERE "callId" = ${callId} AND answer IS NULL`,
    db().$executeRaw`SELECT pg_notify('call_ended', ${callId})`,
  ]);
}

/** The outcome of a call that was cancelled before it ran: for its log row, and as the caller's answer (JSON text). */
export interface CancelledOutcome {
  readonly ended: EndedCall;
  readonly answer: string;
}

/**
 * Cancels a call of this caller. A waiting or queued call ends here, with its intent. A running call is marked as
 * cancelled. Its process gets a notice, also for a call that is not stored. An ended call stays unchanged.
 */
export async function cancelStoredCall(callId: string, principal: Principal, outcome: CancelledOutcome): Promise<void> {
  await db().$transaction(async (transaction) => {
    const was = await markCancelled(transaction, callId, principal);
    if (was === "queued") {
      await insertEnd(transaction, callId, new Date(), outcome.ended);
      const answer = seal("calls", outcome.answer, callId);
      await transaction.$executeRaw`UPDATE kept_call SET job = NULL, answer = ${answer} WHERE "callId" = ${callId}`;
    }
    await transaction.$executeRaw`SELECT pg_notify(${was === "queued" ? "call_ended" : "call_cancelled"}, ${callId})`;
  });
}

async function markCancelled(
  transaction: Prisma.TransactionClient,
  callId: string,
  principal: Principal,
): Promise<"queued" | "running" | null> {
  const owner = principalDigest(principal);
  const [row] = await transaction.$queryRaw<{ instance: string | null }[]>`
    WITH kept AS (
      UPDATE kept_call SET cancelled = true, status = CASE WHEN status = 'running' THEN status ELSE 'ended' END
      WHERE "callId" = ${callId} AND principal = ${owner} AND status <> 'ended' RETURNING "callId", instance
    ), approval AS (
      UPDATE approval SET status = 'cancelled', "closesAt" = now()
      WHERE "callId" IN (SELECT "callId" FROM kept) AND status = 'waiting'
    ) SELECT instance FROM kept`;
  if (row === undefined) return null;
  return row.instance === null ? "queued" : "running";
}

/** The cancelled calls among `callIds`. */
export async function cancelledOf(callIds: readonly string[]): Promise<readonly string[]> {
  const where = { callId: { in: [...callIds] }, cancelled: true };
  const rows = await db().keptCall.findMany({ where, select: { callId: true } });
  return rows.map(({ callId }) => callId);
}

/** Deletes ended calls whose answer nobody can read any more. */
export async function sweepStoredCalls(now: Date): Promise<void> {
  await db().$executeRaw`DELETE FROM kept_call WHERE "endsAt" < ${now.toISOString()}::timestamptz AND status = 'ended'`;
}

/** A stored call, if it belongs to this caller. */
export async function readStoredCall(callId: string, principal: Principal): Promise<StoredCall | null> {
  const row = await db().keptCall.findUnique({ where: { callId } });
  return row === null || row.principal !== principalDigest(principal) ? null : toStoredCall(row);
}

function toStoredCall({ callId, bodyDigest, status, cancelled, repeatable, later, answer }: Stored): StoredCall {
  return {
    callId,
    bodyDigest,
    status: status === "waiting" || status === "queued" || status === "running" ? status : "ended",
    cancelled,
    repeatable,
    later,
    answer: answer === null ? null : open("calls", answer, callId),
  };
}
