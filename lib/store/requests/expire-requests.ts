import { recordAuditEvent } from "@/lib/store/audit/audit-events";
import { db } from "@/lib/store/db/database";
import type { Prisma } from "@/lib/store/generated/client";
import type { Actor } from "@/lib/store/save/write";

/** Most requests that one run of the job expires. */
const BATCH = 500;

/** The author of expiries in the audit trail. */
const PROGRAM: Actor = { kind: "system", name: "requests", role: "admin" };

/** Expires the open requests that nobody answered in time. Safe in several processes at once. Returns how many it expired. */
export async function expireRequests(now: Date): Promise<number> {
  const late = await db().request.findMany({
    where: { status: "open", closesAt: { lte: now } },
    select: { id: true },
    take: BATCH,
  });
  let expired = 0;
  for (const { id } of late) expired += await db().$transaction((tx) => expire(tx, { id }, now));
  return expired;
}

/** Expires the open requests of a filter whose time is over, with an audit event each. Returns how many it expired. */
export async function expire(
  tx: Prisma.TransactionClient,
  which: Prisma.RequestWhereInput,
  now: Date,
): Promise<number> {
  const ended = await tx.request.updateManyAndReturn({
    where: { ...which, status: "open", closesAt: { lte: now } },
    data: { status: "expired", secrets: null },
    select: { id: true },
  });
  for (const { id } of ended)
    await recordAuditEvent({ actor: PROGRAM, action: "requests.expired", target: id, requestId: null }, tx, now);
  return ended.length;
}
