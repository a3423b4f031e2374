import { env } from "@/lib/env";
import type { Prisma } from "@/lib/store/generated/client";

/**
 * Whether a caller has reached WAITING_CALLS_PER_CALLER: async calls that are queued, running or waiting for an approval.
 *
 * @param principal the caller's digest, as stored in `kept_call`
 */
export async function hasReachedWaitingLimit(
  transaction: Prisma.TransactionClient,
  principal: string,
): Promise<boolean> {
  const limit = env.WAITING_CALLS_PER_CALLER;
  const [row] = await transaction.$queryRaw<{ waiting: number }[]>`
    SELECT count(*)::int AS waiting FROM (
      SELECT FROM kept_call WHERE principal = ${principal} AND later AND status <> 'ended' LIMIT ${limit}) calls`;
  return row === undefined || row.waiting >= limit;
}
