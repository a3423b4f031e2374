import type { ErasureInput } from "@/lib/contracts/log/erasure";
import { isErasedCaller } from "@/lib/store/audit/erased-caller";
import { db } from "@/lib/store/db/database";
import { Prisma } from "@/lib/store/generated/client";

/** Days for which use is stored: the longest window of rightsizing and a margin. */
const KEPT_DAYS = 400;
/** Most rows that one run deletes. */
const MAX_DELETED = 20_000;

/**
 * Deletes a caller's use on every day that the span of an erasure touches, as part of its transaction. Locks the roll-up,
 * which leaves out erased calls that it counts later. Returns the number of deleted rows of days.
 */
export async function eraseUsage(
  tx: Prisma.TransactionClient,
  { from, ...caller }: ErasureInput,
  to: string,
): Promise<number> {
  await tx.$queryRaw`SELECT seal FROM usage_cursor WHERE id = 1 FOR UPDATE`;
  const whose = isErasedCaller(caller);
  const callers = Prisma.sql`SELECT caller FROM usage_caller WHERE ${whose}`;
  const since = from ?? "-infinity";
  const days = await tx.$executeRaw`
    DELETE FROM usage_day WHERE caller IN (${callers}) AND day >= (${since}::timestamptz AT TIME ZONE 'UTC')::date
      AND day <= (${to}::timestamptz AT TIME ZONE 'UTC')::date`;
  await tx.$executeRaw`
    DELETE FROM usage_caller WHERE caller IN (${callers})
      AND NOT EXISTS (SELECT FROM usage_day WHERE usage_day.caller = usage_caller.caller)`;
  return days;
}

/** Deletes the use of days before a time, when the log's rows of those days are dropped, as part of that transaction. */
export async function dropUsage(tx: Prisma.TransactionClient, before: Date): Promise<void> {
  const day = before.toISOString().slice(0, 10);
  await tx.$executeRaw`DELETE FROM usage_day WHERE day < ${day}::date`;
  await tx.$executeRaw`DELETE FROM usage_caller WHERE "lastDay" < ${day}::date`;
  await tx.$executeRaw`DELETE FROM usage_last WHERE "lastDay" < ${day}::date`;
}

/** Deletes use that no window of rightsizing reaches, a part per run. @throws AppError `config_unavailable` */
export async function sweepUsage(now = new Date()): Promise<void> {
  const day = new Date(now.getTime() - KEPT_DAYS * 86_400_000).toISOString().slice(0, 10);
  await db().$executeRaw`
    DELETE FROM usage_day WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM usage_day WHERE day < ${day}::date LIMIT ${MAX_DELETED}))`;
  await db().$executeRaw`
    DELETE FROM usage_caller WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM usage_caller WHERE "lastDay" < ${day}::date LIMIT ${MAX_DELETED}))`;
  await db().$executeRaw`DELETE FROM usage_last WHERE "lastDay" < ${day}::date`;
}
