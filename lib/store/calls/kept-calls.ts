import { enqueueCall, nudgeWorker, openCallQueue } from "@/lib/store/calls/call-queue";
import { keyedDigest, open, seal } from "@/lib/store/keys/cipher";
import { db } from "@/lib/store/db/database";
import { orderCallback, type CallbackOrder } from "@/lib/store/events/deliveries";
import { announce } from "@/lib/store/events/events";
import { insertEnd, insertIntent, type EndedCall, type Written } from "@/lib/store/log/executions-log";
import type { Preconditions, Intent } from "@/lib/store/log/executions-rows";
import type { Prisma } from "@/lib/store/generated/client";
import { identityParts, type Principal } from "@/lib/store/calls/sessions";
import { hasMostWaiting } from "@/lib/store/calls/waiting-calls";

/** How long an answer is kept for its caller, in milliseconds: a day (docs/reference/http.md#agent-api). */
export const KEPT_MS = 24 * 3_600_000;

/** Seconds until a call that was given back is handed out again. */
const GIVEN_BACK_SECONDS = 2;

/** Names a caller's idempotency key and what was asked with it. */
export interface KeyClaim {
  readonly callId: string;
  readonly principal: Principal;
  readonly key: string;
  /** Digest of what was asked. */
  readonly bodyDigest: string;
}

/** A call that is kept for its caller. */
export interface KeptCall {
  readonly callId: string;
  readonly bodyDigest: string;
  /** `waiting`: for a person's approval. */
  readonly status: "waiting" | "queued" | "running" | "ended";
  readonly cancelled: boolean;
  readonly repeatable: boolean;
  /** Whether it is answered later. */
  readonly later: boolean;
  /** JSON text of the answer; `null` until it has ended, and when it could not be kept. */
  readonly answer: string | null;
}

type Stored = NonNullable<Awaited<ReturnType<ReturnType<typeof db>["keptCall"]["findUnique"]>>>;

function principalDigest(principal: Principal): string {
  return keyedDigest("principal", JSON.stringify(identityParts(principal)));
}

/** What is kept of an idempotency key: a client may make one of a secret. Rows of an older version hold the key itself. */
export function idempotencyDigest(key: string): string {
  return keyedDigest("idempotency key", key);
}

/**
 * Takes an idempotency key for a call: `null` when it is the call's own now, else the call that has it. A key that was
 * taken a day ago is free again.
 */
export async function claimKey(claim: KeyClaim, instance: string, now: number): Promise<KeptCall | null> {
  const principal = principalDigest(claim.principal);
  const key = idempotencyDigest(claim.key);
  const at = new Date(now).toISOString();
  const endsAt = new Date(now + KEPT_MS).toISOString();
  const taken = await db().$executeRaw`
    INSERT INTO kept_call ("callId", principal, "idempotencyKey", "bodyDigest", status, instance, at, "endsAt")
    SELECT ${claim.callId}, ${principal}, ${key}, ${claim.bodyDigest}, 'running', ${instance}, ${at}::timestamptz, ${endsAt}::timestamptz
    WHERE NOT EXISTS (SELECT FROM kept_call
      WHERE principal = ${principal} AND "idempotencyKey" = ${claim.key} AND "endsAt" > ${at}::timestamptz)
    ON CONFLICT (principal, "idempotencyKey") DO UPDATE SET "callId" = EXCLUDED."callId", "bodyDigest" = EXCLUDED."bodyDigest",
      status = EXCLUDED.status, instance = EXCLUDED.instance, job = NULL, answer = NULL, cancelled = false, repeatable = false, later = false,
      at = EXCLUDED.at, "endsAt" = EXCLUDED."endsAt"
    WHERE kept_call."endsAt" <= EXCLUDED.at`;
  if (taken > 0) return null;
  const row = await db().keptCall.findFirst({
    where: { principal, idempotencyKey: { in: [key, claim.key] }, endsAt: { gt: new Date(now) } },
  });
  // Freed meanwhile: now it is this call's, or another's again.
  return row === null ? claimKey(claim, instance, now) : toKept(row);
}

/** Frees the key of a call that never ran: the caller may ask the same again. A queued one keeps it. */
export async function freeKey(callId: string): Promise<void> {
  await db().$executeRaw`DELETE FROM kept_call WHERE "callId" = ${callId} AND status = 'running' AND job IS NULL`;
}

/** What the worker of a queued call needs; sealed, for it holds arguments and a credential. */
export interface QueuedCall {
  readonly principal: Principal;
  /** JSON text. */
  readonly job: string;
  readonly bodyDigest: string;
  readonly repeatable: boolean;
  /** Where the call's end is to be told; `null` = nowhere. */
  readonly callback: CallbackOrder | null;
}

/** What an approval will be bound to, besides its call (docs/reference/execution.md#approvals). */
export interface AskedApproval {
  readonly toolId: string;
  readonly definitionHash: string;
  readonly argumentsDigest: string;
  /** When nobody can answer it any more. */
  readonly closesAt: Date;
}

/**
 * Writes the intent and queues the call, in one transaction, under the conditions of `writeIntent`. One that needs an
 * approval waits for it first. With as many that have not ended as WAITING_CALLS_PER_CALLER allows, nothing is written:
 * `full`. Callers do not wait for each other here: of several that are queued at once, a few more may be taken.
 */
export async function queueCall(
  intent: Intent,
  preconditions: Preconditions,
  queued: QueuedCall,
  asked: AskedApproval | null,
): Promise<Written | "full"> {
  await openCallQueue();
  const principal = principalDigest(queued.principal);
  const written = await db().$transaction(async (transaction) => {
    if (await hasMostWaiting(transaction, principal)) return "full";
    const inserted = await insertIntent(transaction, intent, preconditions);
    if (!inserted.written) return inserted;
    const { callId, at } = intent;
    const row = {
      status: asked === null ? "queued" : "waiting",
      instance: null,
      job: seal("calls", queued.job, callId),
      repeatable: queued.repeatable,
      later: true,
    };
    const { bodyDigest } = queued;
    const endsAt = new Date(at.getTime() + KEPT_MS);
    await transaction.keptCall.upsert({
      where: { callId },
      create: { callId, principal, bodyDigest, at, endsAt, ...row },
      update: row,
    });
    if (queued.callback !== null) await orderCallback(transaction, callId, queued.callback, at);
    if (asked === null) await enqueueCall(transaction, callId);
    else {
      const { issuer, subject, agent } = queued.principal;
      await transaction.approval.create({ data: { callId, status: "waiting", at, issuer, subject, agent, ...asked } });
      await announce(transaction, {
        type: "approval.requested",
        path: `/admin/approvals/${callId}`,
        data: {
          call_id: callId,
          tool_id: asked.toolId,
          issuer,
          subject,
          agent,
          expires_at: asked.closesAt.toISOString(),
        },
      });
    }
    return inserted;
  });
  if (asked === null) nudgeWorker();
  return written;
}

/** A call that this process has taken on. */
export interface TakenJob {
  /** Its job as JSON text; `null` when no master key opens it any more. */
  readonly text: string | null;
}

/**
 * Takes a queued call on for this process, or answers `null` when another process has it or it was cancelled. From here on
 * it runs at most once, unless it is repeatable.
 */
export async function claimJob(callId: string, instance: string): Promise<TakenJob | null> {
  const [row] = await db().$queryRaw<{ job: string | null }[]>`
    UPDATE kept_call SET status = 'running', instance = ${instance}
    WHERE "callId" = ${callId} AND status = 'queued' AND NOT cancelled RETURNING job`;
  if (row === undefined) return null;
  return { text: row.job === null ? null : open("calls", row.job, callId) };
}

/** Gives a call back to the queue that this process could not run now. Answers false for one that was cancelled meanwhile. */
export async function releaseJob(callId: string): Promise<boolean> {
  return db().$transaction(async (transaction) => {
    const given = await transaction.$executeRaw`
      UPDATE kept_call SET status = 'queued', instance = NULL
      WHERE "callId" = ${callId} AND status = 'running' AND NOT cancelled`;
    if (given > 0) await enqueueCall(transaction, callId, GIVEN_BACK_SECONDS);
    return given > 0;
  });
}

/** Keeps the answer (JSON text) for the caller, and tells whoever waits for it. The first that is kept stays. */
export async function endKept(callId: string, answer: string): Promise<void> {
  await db().$transaction([
    db()
      .$executeRaw`UPDATE kept_call SET status = 'ended', job = NULL, answer = ${seal("calls", answer, callId)} WHERE "callId" = ${callId} AND answer IS NULL`,
    db().$executeRaw`SELECT pg_notify('call_ended', ${callId})`,
  ]);
}

/** How a call is ended that was cancelled before it ran: for its row in the log, and as its caller's answer (JSON text). */
export interface CancelledBefore {
  readonly ended: EndedCall;
  readonly answer: string;
}

/**
 * Cancels a kept call of this caller: one that waits or is queued ends here, with its intent; a running one is noted as
 * given up, and its process is told. What has ended stays as it is.
 */
export async function cancelKept(callId: string, principal: Principal, before: CancelledBefore): Promise<void> {
  await db().$transaction(async (transaction) => {
    const was = await noteCancelled(transaction, callId, principal);
    if (was === "queued") {
      await insertEnd(transaction, callId, new Date(), before.ended);
      const answer = seal("calls", before.answer, callId);
      await transaction.$executeRaw`UPDATE kept_call SET job = NULL, answer = ${answer} WHERE "callId" = ${callId}`;
    }
    await transaction.$executeRaw`SELECT pg_notify(${was === "queued" ? "call_ended" : "call_cancelled"}, ${callId})`;
  });
}

async function noteCancelled(
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

/** Which of these calls were cancelled. */
export async function cancelledOf(callIds: readonly string[]): Promise<readonly string[]> {
  const where = { callId: { in: [...callIds] }, cancelled: true };
  const rows = await db().keptCall.findMany({ where, select: { callId: true } });
  return rows.map(({ callId }) => callId);
}

/** Deletes what nobody can ask for any more. */
export async function sweepKept(now: Date): Promise<void> {
  await db().$executeRaw`DELETE FROM kept_call WHERE "endsAt" < ${now.toISOString()}::timestamptz AND status = 'ended'`;
}

/** A call that is kept for this caller. */
export async function readKept(callId: string, principal: Principal): Promise<KeptCall | null> {
  const row = await db().keptCall.findUnique({ where: { callId } });
  return row === null || row.principal !== principalDigest(principal) ? null : toKept(row);
}

function toKept({ callId, bodyDigest, status, cancelled, repeatable, later, answer }: Stored): KeptCall {
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
