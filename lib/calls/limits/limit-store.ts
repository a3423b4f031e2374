import { env } from "@/lib/env";
import { storedLimits, type LimitStore } from "@/lib/store/calls/limits";

/** Next bundles each route on its own: one connection per process. */
const shared = globalThis as typeof globalThis & { quartermasterLimits?: LimitStore };

/** Where the house counts calls: in Redis when `REDIS_URL` is set, else in Postgres. */
export function sharedLimits(): LimitStore {
  return (shared.quartermasterLimits ??= env.REDIS_URL === undefined ? storedLimits : inRedis(env.REDIS_URL));
}

/** Its client takes a tenth of a start to read, which houses without Redis do not wait for (docs/reference/promises.md#restart). */
function inRedis(url: string): LimitStore {
  const redis = import("@/lib/calls/limits/limits-redis").then(({ redisLimits }) => redisLimits(url, storedLimits));
  // Whoever counts hears of it: a limited call is refused then.
  redis.catch(() => {});
  return {
    take: async (...asked) => (await redis).take(...asked),
    release: async (callId) => (await redis).release(callId),
  };
}
