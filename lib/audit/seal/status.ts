import { readLastCheckpoint } from "@/lib/audit/seal/checkpoint";
import type { SealStatus } from "@/lib/contracts/log/seal";
import { logSession } from "@/lib/store/db/log-session";
import { readLastSeal, readProtection, readUnsealed } from "@/lib/store/audit/seals";

/**
 * The status of the log, without reading its rows.
 * @throws errors of the store or the checkpoint store
 */
export async function readSealStatus(): Promise<SealStatus> {
  const checkpoint = await readLastCheckpoint();
  return logSession("read", async (runQuery) => {
    const last = await readLastSeal(runQuery);
    const { count, oldest } = await readUnsealed(runQuery, last);
    return {
      last,
      unsealed: count,
      oldestUnsealedAt: oldest?.toISOString() ?? null,
      checkpoint,
      protection: await readProtection(runQuery),
    };
  });
}
