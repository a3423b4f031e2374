import { newestOf, readCheckpoints } from "@/lib/audit/checkpoint";
import type { SealStatus } from "@/lib/contracts/log/seal";
import { logSession } from "@/lib/store/log-session";
import { readLastSeal, readProtection, readUnsealed } from "@/lib/store/seals";

/** How the log stands, without reading it. @throws whatever the store or the second place throws */
export async function readSealStatus(): Promise<SealStatus> {
  const checkpoint = newestOf(await readCheckpoints());
  return logSession("read", async (ask) => {
    const last = await readLastSeal(ask);
    const { count, oldest } = await readUnsealed(ask, last);
    return {
      last,
      unsealed: count,
      oldestUnsealedAt: oldest?.toISOString() ?? null,
      checkpoint,
      protection: await readProtection(ask),
    };
  });
}
