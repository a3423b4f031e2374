import type { ErasureInput } from "@/lib/contracts/log/erasure";
import { isErasedCaller } from "@/lib/store/audit/erased-caller";
import { db } from "@/lib/store/db/database";
import type { Prisma } from "@/lib/store/generated/client";

/** Days for which observations are stored. */
const RETENTION_DAYS = 90;
/** Most rows that one run deletes. */
const MAX_DELETED = 20_000;

/**
 * Deletes a caller's observations in the transaction of an erasure: calls within its time range, and every day that it
 * touches. Returns the number of deleted rows.
 */
export async function eraseObserved(
  tx: Prisma.TransactionClient,
  { from, ...caller }: ErasureInput,
  to: string,
): Promise<number> {
  const whose = isErasedCaller(caller);
  const since = from ?? "-infinity";
  const calls = await tx.$executeRaw`
    DELETE FROM observed_call WHERE ${whose} AND at >= ${since}::timestamptz AND at < ${to}::timestamptz`;
  const days = await tx.$executeRaw`
    DELETE FROM observed_day WHERE ${whose} AND day >= (${since}::timestamptz AT TIME ZONE 'UTC')::date
      AND day <= (${to}::timestamptz AT TIME ZONE 'UTC')::date`;
  return calls + days;
}

/** Deletes the observations before a time, when the log's rows of those days are dropped, as part of that transaction. */
export async function dropObserved(tx: Prisma.TransactionClient, before: Date): Promise<void> {
  await tx.$executeRaw`DELETE FROM observed_call WHERE at < ${before}`;
  await tx.$executeRaw`DELETE FROM observed_day WHERE day < ${before.toISOString().slice(0, 10)}::date`;
}

/** Deletes old observations, a part per run. @throws AppError `config_unavailable` */
export async function sweepObserved(now = new Date()): Promise<void> {
  const before = new Date(now.getTime() - RETENTION_DAYS * 86_400_000);
  await db().$executeRaw`
    DELETE FROM observed_call WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM observed_call WHERE at < ${before} LIMIT ${MAX_DELETED}))`;
  await db().$executeRaw`
    DELETE FROM observed_day WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM observed_day WHERE day < ${before.toISOString().slice(0, 10)}::date LIMIT ${MAX_DELETED}))`;
}
