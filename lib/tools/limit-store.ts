import { env } from "@/lib/env";
import { storedLimits, type LimitStore } from "@/lib/store/limits";
import { redisLimits } from "@/lib/tools/limits-redis";

/** Next bundles each route on its own: one connection per process. */
const shared = globalThis as typeof globalThis & { quartermasterLimits?: LimitStore };

/** Where the house counts calls: in Redis when `REDIS_URL` is set, else in Postgres. */
export function sharedLimits(): LimitStore {
  return (shared.quartermasterLimits ??=
    env.REDIS_URL === undefined ? storedLimits : redisLimits(env.REDIS_URL, storedLimits));
}
