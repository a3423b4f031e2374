import { createHash } from "node:crypto";
import { limitsOn, type AppliedLimit, type LimitScope } from "@/lib/resources/parts/limits";
import { AppError } from "@/lib/errors";
import type { WantedLimit, LimitStore } from "@/lib/store/calls/limits";
import { log } from "@/lib/telemetry/log";
import type { Call, Refusal } from "@/lib/calls/pipeline/call";
import type { AuthorizedCall } from "@/lib/calls/pipeline/decide";
import { deadlineSeconds } from "@/lib/calls/pipeline/run";
import type { CallContext } from "@/lib/calls/pipeline/call-context";

/** Seconds that a lease outlives the deadline of its call, for the time around the run. */
export const LEASE_GRACE_SECONDS = 60;

/** A limit as the store counts it, with the facts that its refusal names. */
type NamedLimit = WantedLimit & Omit<AppliedLimit, "seconds" | "whom">;

/** The limits of one call: counted at most once, however often the call is decided anew. */
export interface CallLimiter {
  /** Step 7 of the pipeline: the refusal of the first limit that is full. @throws AppError `overloaded` */
  take(authorized: AuthorizedCall, context: CallContext, counted: "all" | WantedLimit["kind"]): Promise<Refusal | null>;
  /** Releases the leases of a call; `take` takes them again. Never throws: a lease that is not released expires. */
  release(): Promise<void>;
}

/** Limits per tool, per agent and per (caller, tool) (docs/reference/execution.md#limits). A call without limits does not use the store. */
export function callLimiter(call: Pick<Call, "callId" | "requestId">, store: LimitStore): CallLimiter {
  const taken = new Set<string>();
  const leased = new Set<string>();
  const release = () =>
    store.release(call.callId).catch((error: unknown) => {
      log.warn(
        { callId: call.callId, requestId: call.requestId, err: error },
        "A place could not be given back; it ends by itself.",
      );
    });
  return {
    async take(authorized, context, counted) {
      const limits = limitsOf(authorized, context).filter(
        ({ key, kind }) => !taken.has(key) && !leased.has(key) && (counted === "all" || counted === kind),
      );
      if (limits.length === 0) return null;
      const requested = limits.map(({ key, kind, cap, seconds }) => ({ key, kind, cap, seconds }));
      const holds = limits.some(({ kind }) => kind === "lease");
      const full = await orRefuse(call, () => store.take(requested, call.callId, context.now)).catch(
        (error: unknown) => {
          // The store may have taken the lease although its answer was lost. The call does not wait for the release.
          if (holds) void release();
          throw error;
        },
      );
      if (full.length === 0) {
        for (const { key, kind } of limits) (kind === "lease" ? leased : taken).add(key);
        return null;
      }
      const ends = new Map(full.map(({ key, endsAt }) => [key, endsAt]));
      const first = limits.find(({ key }) => ends.has(key));
      if (first === undefined) throw new AppError("overloaded", NOT_COUNTED);
      return refusal(first, ends.get(first.key) as Date, context.now);
    },
    async release() {
      if (leased.size === 0) return;
      leased.clear();
      await release();
    },
  };
}

const NOT_COUNTED = "The limits of this call cannot be counted now, so the call was not run. Try again.";

/** A call that cannot be counted does not run. */
async function orRefuse<T>(
  { callId, requestId }: Pick<Call, "callId" | "requestId">,
  count: () => Promise<T>,
): Promise<T> {
  try {
    return await count();
  } catch (cause) {
    log.error({ callId, requestId, err: cause }, "Limits cannot be counted.");
    throw new AppError("overloaded", NOT_COUNTED, { cause });
  }
}

function limitsOf({ tool }: AuthorizedCall, { caller }: CallContext): NamedLimit[] {
  const { issuer, subject } = caller.principal;
  const lease = deadlineSeconds(tool) + LEASE_GRACE_SECONDS;
  const call = { toolId: tool.id, issuer, subject, agent: caller.agent?.name ?? null };
  return limitsOn(call, tool.limits, caller.agent?.limits).map(({ whom, seconds: length, ...applied }) => {
    const seconds = length ?? lease;
    const key = keyOf([applied.of, applied.limit, seconds, ...whom]);
    return { ...applied, kind: length === null ? "lease" : "window", seconds, key };
  });
}

/** A key of bounded length, because an issuer may use subjects of any length. Contains the window's length, so that a changed window starts empty. */
function keyOf(parts: readonly (string | number)[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}

const WHOSE: Record<LimitScope, string> = {
  tool: "for this tool",
  caller_and_tool: "that you have for this tool",
  agent: "that you have in total",
};

function refusal({ of, limit, cap, seconds, reason }: NamedLimit, endsAt: Date, now: number): Refusal {
  const wait = limit === "concurrency" ? 1 : Math.max(1, Math.ceil((endsAt.getTime() - now) / 1000));
  const calls = cap === 1 ? "1 call" : `${cap} calls`;
  const what = {
    rate: `${calls} in ${seconds} s`,
    per_day: `${calls} a day`,
    concurrency: `${calls} at a time`,
  }[limit];
  return {
    code: limit === "per_day" ? "quota_exceeded" : "rate_limited",
    message: `The limit of ${what} ${WHOSE[of]} is reached; try again in ${wait} s.`,
    details: {
      limit,
      of,
      calls: cap,
      ...(limit === "concurrency" ? {} : { seconds, resets_at: endsAt.toISOString() }),
    },
    headers: {
      "retry-after": String(wait),
      "ratelimit-limit": String(cap),
      "ratelimit-remaining": "0",
      "ratelimit-reset": String(wait),
    },
    reason,
  };
}

/** The refusal when `most` calls of the caller are running. */
export function tooManyRunning(most: number): Refusal {
  const message = `You have ${most} running calls, the limit for one caller: try again when one has ended.`;
  return tooMany("running", most, "rate_limited", message);
}

/** The refusal of an async call when `most` calls of the caller have not ended. */
export function tooManyWaiting(most: number): Refusal {
  const message = `You have ${most} calls that have not ended, the limit for one caller: wait for some to end, or cancel them.`;
  return tooMany("waiting", most, "quota_exceeded", message);
}

function tooMany(limit: string, calls: number, code: Refusal["code"], message: string): Refusal {
  const details = { limit, of: "caller", calls };
  return { code, message, details, headers: { "retry-after": "1" }, reason: `${limit} of caller` };
}
