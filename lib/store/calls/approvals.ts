import { AppError } from "@/lib/errors";
import type { ApprovalRow } from "@/lib/contracts/log/approval";
import { APPROVAL_STATUSES } from "@/lib/resources/parts/words";
import type { ListQuery, Page } from "@/lib/contracts/changes/list";
import { recordAuditEvent } from "@/lib/store/audit/audit-events";
import { announceQueued } from "@/lib/store/calls/queued-calls";
import { open } from "@/lib/store/keys/cipher";
import { db } from "@/lib/store/db/database";
import { insertEnd, type EndedCall } from "@/lib/store/log/executions-log";
import { ofSource, text, word } from "@/lib/store/db/filters";
import type { Prisma } from "@/lib/store/generated/client";
import { readPage } from "@/lib/store/db/page";
import type { Model } from "@/lib/store/config/tables";
import type { Actor } from "@/lib/store/save/write";

/** Most calls that expire in one transaction loop. */
const BATCH = 100;

/** A stored approval: the call that it is bound to, and its decision. */
export type StoredApproval = NonNullable<Awaited<ReturnType<ReturnType<typeof db>["approval"]["findUnique"]>>>;

/** A person's answer to a waiting call. */
export interface Decision {
  readonly actor: Actor;
  readonly reason: string;
  readonly requestId: string;
}

/**
 * Lists approvals: waiting ones first (latest deadline first), then the most recently answered ones.
 *
 * @throws AppError `invalid_request` for an unknown filter, sort or cursor; `config_unavailable`
 */
export async function listApprovals(query: ListQuery): Promise<Page<ApprovalRow>> {
  const listing = {
    of: "approvals",
    id: "callId",
    search: ["callId", "toolId", "subject", "agent"],
    sort: { closesAt: "time", at: "time" },
    filters: {
      status: word("status", APPROVAL_STATUSES),
      agent: text("agent"),
      subject: text("subject"),
      tool: text("toolId"),
      source: ofSource("toolId"),
      decidedBy: text("decidedBy"),
    },
  } as const;
  const page = await readPage(db().approval as unknown as Model, listing, {
    ...query,
    sort: query.sort ?? "-closesAt",
  });
  return { ...page, items: page.items.map((row) => toApprovalRow(row as unknown as StoredApproval)) };
}

/** The number of calls that somebody can still approve. */
export async function countWaitingCalls(now: Date): Promise<number> {
  return db().approval.count({ where: { status: "waiting", closesAt: { gt: now } } });
}

/** One approval, or `null`. */
export async function findApproval(callId: string): Promise<StoredApproval | null> {
  return db().approval.findUnique({ where: { callId } });
}

/** The approval as the API returns it. */
export function toApprovalRow(approval: StoredApproval): ApprovalRow {
  const { callId, at, closesAt, issuer, subject, agent, toolId, decidedBy, reason } = approval;
  const status = APPROVAL_STATUSES.find((known) => known === approval.status);
  if (status === undefined) throw new AppError("config_unavailable", "A stored approval cannot be read.");
  const times = { at: at.toISOString(), closesAt: closesAt.toISOString() };
  return { id: callId, status, ...times, issuer, subject, agent, toolId, decidedBy, reason };
}

/** The sealed job of a waiting call, as JSON text; `null` when the call no longer waits. */
export async function waitingJob(callId: string): Promise<string | null> {
  const kept = await db().keptCall.findUnique({ where: { callId } });
  return kept?.status !== "waiting" || kept.job === null ? null : open("calls", kept.job, callId);
}

/**
 * Approves and queues a call. Its worker decides it again before it runs. Returns false, and changes nothing, when the
 * call no longer waits or has expired.
 */
export async function approveCall(callId: string, decision: Decision, now: Date): Promise<boolean> {
  return db().$transaction(async (transaction) => {
    if (!(await claimWaiting(transaction, callId, "queued", now))) return false;
    await recordDecision(transaction, callId, "approved", decision, now);
    await announceQueued(transaction);
    return true;
  });
}

/** Refuses and ends a call. Returns false, and changes nothing, when the call no longer waits or has expired. */
export async function refuseCall(callId: string, decision: Decision, now: Date, ended: EndedCall): Promise<boolean> {
  return db().$transaction(async (transaction) => {
    if (!(await claimWaiting(transaction, callId, "ended", now))) return false;
    await recordDecision(transaction, callId, "refused", decision, now);
    await insertEnd(transaction, callId, now, ended);
    await transaction.$executeRaw`SELECT pg_notify('call_ended', ${callId})`;
    return true;
  });
}

/** The outcome of a call that nobody answered. */
const EXPIRED: EndedCall = {
  code: "approval_expired",
  output: {
    status: "denied",
    attempts: 0,
    error: {
      code: "approval_expired",
      message: "Nobody approved the call in time, so it was not run.",
      retryable: false,
    },
  },
};

/** Ends the calls that nobody answered in time. Safe in several processes at once. Returns how many it ended. */
export async function expireApprovals(now: Date): Promise<number> {
  const late = await db().approval.findMany({
    where: { status: "waiting", closesAt: { lte: now } },
    select: { callId: true },
    take: BATCH,
  });
  let expired = 0;
  for (const { callId } of late)
    expired += await db().$transaction(async (transaction) => {
      const taken = await transaction.$executeRaw`
        UPDATE kept_call SET status = 'ended', job = NULL WHERE "callId" = ${callId} AND status = 'waiting'`;
      if (taken === 0) return 0;
      await transaction.approval.update({ where: { callId }, data: { status: "expired" } });
      await insertEnd(transaction, callId, now, EXPIRED);
      await transaction.$executeRaw`SELECT pg_notify('call_ended', ${callId})`;
      return 1;
    });
  return expired;
}

/** Takes a call that waits and has not expired. The first process that changes its stored row answers it. */
async function claimWaiting(
  transaction: Prisma.TransactionClient,
  callId: string,
  status: "queued" | "ended",
  now: Date,
): Promise<boolean> {
  const taken = await transaction.$executeRaw`
    UPDATE kept_call SET status = ${status}, job = CASE WHEN ${status} = 'ended' THEN NULL ELSE job END
    FROM approval WHERE kept_call."callId" = ${callId} AND kept_call.status = 'waiting'
      AND approval."callId" = kept_call."callId" AND approval."closesAt" > ${now.toISOString()}::timestamptz`;
  return taken > 0;
}

/** Records the decision in the approval and in the audit trail, which is append-only. */
async function recordDecision(
  transaction: Prisma.TransactionClient,
  callId: string,
  status: "approved" | "refused",
  { actor, reason, requestId }: Decision,
  now: Date,
): Promise<void> {
  const data = { status, closesAt: now, decidedBy: actor.name, reason };
  await transaction.approval.update({ where: { callId }, data });
  await recordAuditEvent({ actor, action: `approvals.${status}`, target: callId, requestId }, transaction, now);
}
