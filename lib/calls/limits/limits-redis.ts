import { createClient } from "@redis/client";
import { withTimeout } from "@/lib/process/timeout";
import type { FullLimit, LimitStore } from "@/lib/store/calls/limits";
import { log } from "@/lib/telemetry/log";

/** Milliseconds until Redis counts as lost for this call. */
const ANSWER_MS = 500;
/** The prefix of our keys: other programs may use the same Redis. */
const PREFIX = "qm:limit:";
/** The key that lists the leases of one call, so that one command releases them all. */
const HOLDER = "qm:limit-holder:";

/**
 * The script does what `take_limits` does in Postgres. Redis runs it alone, so that it counts every limit or none.
 * KEYS: the limits' keys, then the holder's. ARGV: now in ms, call id, then kind, cap, seconds of each limit.
 * A window is a number that expires at its end; leases are a sorted set by the time they end.
 */
const TAKE = `
local now, call, full = tonumber(ARGV[1]), ARGV[2], {}
for i = 1, #KEYS - 1 do
  local kind, cap = ARGV[3 * i], tonumber(ARGV[3 * i + 1])
  if kind == "window" then
    if tonumber(redis.call("GET", KEYS[i]) or "0") >= cap then
      full[#full + 1] = { i, now + math.max(redis.call("PTTL", KEYS[i]), 0) }
    end
  else
    redis.call("ZREMRANGEBYSCORE", KEYS[i], "-inf", now)
    local own = redis.call("ZSCORE", KEYS[i], call) and 1 or 0
    if redis.call("ZCARD", KEYS[i]) - own >= cap then
      full[#full + 1] = { i, tonumber(redis.call("ZRANGE", KEYS[i], 0, 0, "WITHSCORES")[2]) }
    end
  end
end
if #full > 0 then return full end
for i = 1, #KEYS - 1 do
  local kind, ms = ARGV[3 * i], tonumber(ARGV[3 * i + 2]) * 1000
  if kind == "window" then
    if redis.call("INCR", KEYS[i]) == 1 then redis.call("PEXPIRE", KEYS[i], ms - now % ms) end
  else
    redis.call("ZADD", KEYS[i], now + ms, call)
    redis.call("PEXPIRE", KEYS[i], math.max(ms, redis.call("PTTL", KEYS[i])))
    redis.call("SADD", KEYS[#KEYS], KEYS[i])
    redis.call("PEXPIRE", KEYS[#KEYS], math.max(ms, redis.call("PTTL", KEYS[#KEYS])))
  end
end
return full`;

/** Releases every lease of a call. KEYS: the holder's. ARGV: call id. */
const RELEASE = `
for _, key in ipairs(redis.call("SMEMBERS", KEYS[1])) do redis.call("ZREM", key, ARGV[1]) end
return redis.call("DEL", KEYS[1])`;

/**
 * Counts in the Redis at `url`, and in `fallback` while Redis is lost. The windows of the fallback start empty, so
 * callers can use a limit at most twice in the window in which Redis is lost.
 */
export function redisLimits(url: string, fallback: LimitStore): LimitStore & { close(): void } {
  const client = clientOf(url);
  // Only the first calls wait for the connection; while it is lost, none does.
  const firstConnection = answerInTime(client.connect()).catch(() => {});
  const heldByFallback = new Set<string>();
  const evaluate = async (script: string, keys: string[], args: string[]): Promise<unknown> => {
    await firstConnection;
    if (!client.isReady) throw new Error("Redis is not connected.");
    return answerInTime(client.eval(script, { keys, arguments: args }));
  };
  const releaseInRedis = (callId: string) => evaluate(RELEASE, [HOLDER + callId], [callId]);
  return {
    async take(limits, callId, now) {
      const keys = [...limits.map(({ key }) => PREFIX + key), HOLDER + callId];
      const args = [
        String(now),
        callId,
        ...limits.flatMap(({ kind, cap, seconds }) => [kind, String(cap), String(seconds)]),
      ];
      let full: readonly (readonly [number, number])[];
      try {
        full = (await evaluate(TAKE, keys, args)) as typeof full;
      } catch {
        // Only leases need a release.
        const holds = limits.some(({ kind }) => kind === "lease");
        // Redis may still run the script. Its commands keep their order, so this one releases what the script takes.
        if (holds) void releaseInRedis(callId).catch(() => {});
        const refused = await fallback.take(limits, callId, now);
        if (refused.length === 0 && holds) heldByFallback.add(callId);
        return refused;
      }
      return full.flatMap(([place, endsAt]): FullLimit[] => {
        const key = limits[place - 1]?.key;
        return key === undefined ? [] : [{ key, endsAt: new Date(Number(endsAt)) }];
      });
    },
    async release(callId) {
      const inRedis = releaseInRedis(callId);
      if (heldByFallback.delete(callId)) {
        // Redis may hold a lease of this call too: its connection may have broken after the script ran.
        inRedis.catch(() => {});
        await fallback.release(callId);
      } else await inRedis;
    },
    close: () => client.destroy(),
  };
}

/** A client that reports once that Redis is lost, and once that it is back. */
function clientOf(url: string) {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    socket: { connectTimeout: ANSWER_MS, reconnectStrategy: (attempt) => Math.min(50 * 2 ** attempt, 2000) },
  });
  // Without a listener, a lost connection would end the process. The client reconnects; each failed attempt is an error too.
  let lost = false;
  client.on("error", (error: unknown) => {
    if (!lost) log.warn({ err: error }, "Redis is lost; limits are counted in Postgres.");
    lost = true;
  });
  client.on("ready", () => {
    if (lost) log.warn("Redis is back; limits are counted there.");
    lost = false;
  });
  return client;
}

const LATE = Symbol("late");

async function answerInTime<T>(answer: Promise<T>): Promise<T> {
  const answered = await withTimeout(answer, ANSWER_MS, LATE);
  if (answered === LATE) throw new Error("Redis did not answer in time.");
  return answered as T;
}
