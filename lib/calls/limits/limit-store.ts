import { singleton } from "@/lib/process/singleton";
import { env } from "@/lib/env";
import { storedLimits, type LimitStore } from "@/lib/store/calls/limits";

/** The store that counts calls: Redis when `REDIS_URL` is set, else Postgres. */
export const sharedLimits = singleton<LimitStore>("Limits", () =>
  env.REDIS_URL === undefined ? storedLimits : inRedis(env.REDIS_URL),
);

/** Loads the Redis client only when it is used: loading it takes a tenth of the start (docs/reference/promises.md#restart). */
function inRedis(url: string): LimitStore {
  const redis = import("@/lib/calls/limits/limits-redis").then(({ redisLimits }) => redisLimits(url, storedLimits));
  // The code that counts receives the error and refuses a limited call.
  redis.catch(() => {});
  return {
    take: async (...wanted) => (await redis).take(...wanted),
    release: async (callId) => (await redis).release(callId),
  };
}
