import { setTimeout as delay } from "node:timers/promises";
import {
  BrokenCircuitError,
  BulkheadRejectedError,
  CircuitState,
  TaskCancelledError,
  bulkhead,
  circuitBreaker,
  handleWhenResult,
  type BulkheadPolicy,
  type CircuitBreakerPolicy,
} from "cockatiel";
import type { SourceRow } from "@/lib/resources/source";
import type { TrippedBreaker } from "@/lib/store/calls/breakers";
import { callerCircuits, type CallerCircuits } from "@/lib/calls/limits/caller-circuit";
import type { RunResult } from "@/lib/calls/pipeline/contract";
import { SourceFailures } from "@/lib/calls/limits/source-failures";

/** The bounds of docs/reference/execution.md#outbound-http; milliseconds. */
const FAILURES_TO_OPEN = 5;
const OPEN_MS = 30_000;
const MAX_CONCURRENT = 10;
/** Calls of one source that may wait for a free slot; their deadline runs meanwhile. */
const MAX_WAITING = 50;
const MAX_RETRIES = 2;
const MIN_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 2_000;
/** A retry costs what ten calls earn: a source that is down gets at most 10 % more requests. */
const RETRY_COST = 10;
/** Ten retries. */
const MAX_RETRY_BUDGET = 10 * RETRY_COST;

interface UpstreamCall {
  readonly source: Pick<SourceRow, "name" | "limits">;
  /** Whether sending the request twice has the same effect as sending it once. A request that was not sent is repeated anyway. */
  readonly repeatable: boolean;
  /** The most retries; `null` = the default, 2. */
  readonly retries: number | null;
  /** The caller. Its failures open its own circuit before they count against the source. */
  readonly caller?: string;
  readonly signal: AbortSignal;
  readonly attempt: () => Promise<RunResult>;
}

/** Keeps a failing source from slowing calls to other sources. One per process. */
export interface Resilience {
  run(call: UpstreamCall): Promise<RunResult>;
  /** Closes the breaker of a source. */
  reset(source: string): void;
}

/** The limits of one source and their state. */
interface Guard {
  readonly source: string;
  breaker: CircuitBreakerPolicy;
  failures: SourceFailures;
  readonly callers: CallerCircuits;
  /** The caller whose last probe failed. For one more open period, only other callers may probe. */
  failedProber: string | null;
  /** The last caller that succeeded, and when (epoch milliseconds). */
  lastSuccess: { readonly caller: string; readonly at: number };
  /** Whether a caller's open circuit is reported as the source's: no other caller succeeds. */
  isReported: boolean;
  bulkhead: BulkheadPolicy;
  capacity: number;
  /** What the source's calls have earned for retries and not spent. Each call earns 1. */
  retryBudget: number;
  /** Epoch milliseconds. */
  openedAt: number;
  /** The message of the last failure that counted, as callers received it. */
  reason: string;
}

type OnChange = (source: string, tripped: TrippedBreaker | null) => void;

/**
 * Bulkhead, circuit breaker and retries per source. `onChange` is called when a breaker opens, probes and closes
 * (`null`); it must not throw. A retry spends the source's budget, waits with full jitter and passes the breaker again.
 */
export function resilience(onChange: OnChange, random: () => number = Math.random): Resilience {
  const guards = new Map<string, Guard>();

  const guardOf = ({ name, limits }: UpstreamCall["source"]): Guard => {
    const capacity = limits.concurrency ?? MAX_CONCURRENT;
    const guard = guards.get(name) ?? newGuard(name, capacity, onChange);
    guards.set(name, guard);
    // Running calls end under the old bound.
    if (guard.capacity !== capacity) Object.assign(guard, { capacity, bulkhead: bulkhead(capacity, MAX_WAITING) });
    return guard;
  };

  return {
    run: async (call) => withRetries(guardOf(call.source), call, onChange, random),
    reset(source) {
      const guard = guards.get(source);
      if (guard === undefined) return;
      renewBreaker(guard, onChange);
      // A breaker that opened just before may be reported after the reset. This report follows it.
      onChange(source, null);
    },
  };
}

function newGuard(source: string, capacity: number, onChange: OnChange): Guard {
  const fresh = {
    source,
    callers: callerCircuits(FAILURES_TO_OPEN, OPEN_MS),
    failedProber: null,
    lastSuccess: { caller: "", at: 0 },
    bulkhead: bulkhead(capacity, MAX_WAITING),
    capacity,
    retryBudget: MAX_RETRY_BUDGET,
    openedAt: 0,
    reason: "",
  };
  return renewBreaker(fresh, onChange);
}

/** Gives a guard a new, closed breaker. */
function renewBreaker(old: Omit<Guard, "breaker" | "failures" | "isReported">, onChange: OnChange): Guard {
  const failures = new SourceFailures(FAILURES_TO_OPEN);
  const breaker = circuitBreaker(
    // A probe that was cancelled proves nothing, so the breaker opens again.
    handleWhenResult((result) => isFault(result as RunResult) || isCancelled(result as RunResult)),
    { halfOpenAfter: OPEN_MS, breaker: failures },
  );
  const guard: Guard = Object.assign(old, { breaker, failures, isReported: false });
  guard.callers.clear();
  // Calls that began before a reset do not count in the new breaker.
  breaker.onStateChange((state) => {
    if (guard.breaker !== breaker) return;
    if (state === CircuitState.Open) guard.openedAt = Date.now();
    const isProbing = state === CircuitState.HalfOpen;
    onChange(guard.source, state === CircuitState.Closed ? null : toTripped(isProbing ? "half_open" : "open", guard));
  });
  return guard;
}

async function withRetries(
  guard: Guard,
  { repeatable, retries, signal, attempt, caller = "" }: UpstreamCall,
  onChange: OnChange,
  random: () => number,
): Promise<RunResult> {
  const maxRetries = Math.min(retries ?? MAX_RETRIES, MAX_RETRIES);
  guard.retryBudget = Math.min(MAX_RETRY_BUDGET, guard.retryBudget + 1);
  let upstreamMs = 0;
  let attempts = 0;
  for (let retry = 0; ; retry += 1) {
    const result = await throughCallerCircuit(guard, caller, onChange, () =>
      throughBreaker(guard, caller, signal, attempt),
    );
    upstreamMs += result.upstreamMs;
    attempts += result.attempts;
    const isRepeatable = (repeatable || result.unsent === true) && isTransient(result);
    const mayRetry = retry < maxRetries && !signal.aborted && guard.retryBudget >= RETRY_COST;
    if (!isRepeatable || !mayRetry) return { ...result, attempts, upstreamMs };
    guard.retryBudget -= RETRY_COST;
    const pause = random() * Math.min(MAX_BACKOFF_MS, MIN_BACKOFF_MS * 2 ** retry);
    await delay(pause, undefined, { signal }).catch(() => {});
  }
}

/** Makes an attempt when the caller's own circuit is closed, or when the attempt is its probe. */
async function throughCallerCircuit(
  guard: Guard,
  caller: string,
  onChange: OnChange,
  run: () => Promise<RunResult>,
): Promise<RunResult> {
  const { source, callers } = guard;
  const wait = callers.enter(caller);
  if (wait > 0) return refusal("circuit_open", callerOpenMessage(source), Math.ceil(wait / 1000));
  if (guard.isReported && callers.anyOpen()) onChange(source, toTripped("half_open", guard));
  let isFailed: boolean | null = null;
  try {
    const result = await run();
    isFailed = result.attempts === 0 || isCancelled(result) ? null : isFault(result);
    return result;
  } finally {
    const change = callers.leave(caller, isFailed);
    if (isFailed === false) guard.lastSuccess = { caller, at: Date.now() };
    const isSourceClosed = guard.breaker.state === CircuitState.Closed;
    const othersSucceed = guard.lastSuccess.caller !== caller && Date.now() - guard.lastSuccess.at < OPEN_MS;
    if (change === "opened" && isSourceClosed && !othersSucceed) {
      guard.openedAt = Date.now();
      guard.isReported = true;
      onChange(source, toTripped("open", guard));
    } else if (isFailed === false && guard.isReported) {
      guard.isReported = false;
      if (isSourceClosed) onChange(source, null);
    }
  }
}

function callerOpenMessage(source: string): string {
  return `Your calls of the source \`${source}\` failed ${FAILURES_TO_OPEN} times in a row; wait before you call it again.`;
}

async function throughBreaker(
  guard: Guard,
  caller: string,
  signal: AbortSignal,
  attempt: () => Promise<RunResult>,
): Promise<RunResult> {
  const { source, breaker, failures } = guard;
  const countedAttempt = async () => {
    const result = await attempt();
    if (isFault(result)) {
      guard.reason = result.error?.message ?? "";
      failures.count(caller);
    }
    const isProbe = breaker.state === CircuitState.HalfOpen;
    if (isProbe && (isFault(result) || isCancelled(result))) guard.failedProber = caller;
    if (!isProbe && isCancelled(result)) throw new CancelledAttempt(result);
    return result;
  };
  const isOpen = breaker.state === CircuitState.Open;
  if (isOpen && guard.failedProber === caller && Date.now() - guard.openedAt < 2 * OPEN_MS)
    return refusal("circuit_open", sourceOpenMessage(source), retryAfterSeconds(guard));
  try {
    return await guard.bulkhead.execute(() => breaker.execute(countedAttempt, signal), signal);
  } catch (error) {
    if (error instanceof CancelledAttempt) return error.result;
    if (error instanceof BrokenCircuitError)
      return refusal("circuit_open", sourceOpenMessage(source), retryAfterSeconds(guard));
    if (error instanceof BulkheadRejectedError)
      return refusal("overloaded", `The source \`${source}\` has reached its limit of concurrent calls: try again.`, 1);
    if (error instanceof TaskCancelledError)
      return refusal("upstream_timeout", `The source \`${source}\` had no free slot in time: try again.`, 1);
    throw error;
  }
}

function sourceOpenMessage(source: string): string {
  return `The source \`${source}\` failed ${FAILURES_TO_OPEN} times in a row, so its circuit breaker is open: try again later.`;
}

function retryAfterSeconds({ openedAt }: Guard): number {
  return Math.max(1, Math.ceil((openedAt + OPEN_MS - Date.now()) / 1000));
}

function refusal(
  code: "circuit_open" | "overloaded" | "upstream_timeout",
  message: string,
  seconds: number,
): RunResult {
  const error = { code, message, retryable: true, headers: { "retry-after": String(seconds) } };
  return { success: false, error, upstreamMs: 0, attempts: 0 };
}

function toTripped(state: TrippedBreaker["state"], { openedAt, reason }: Guard): TrippedBreaker {
  return { state, since: new Date(openedAt), reason };
}

/** The upstream's own fault: it cannot be reached, does not answer in time, or says 5xx. */
function isFault({ success, error, status }: RunResult): boolean {
  if (success || error === undefined) return false;
  if (error.code === "upstream_unreachable" || error.code === "upstream_timeout") return true;
  return error.code === "upstream_error" && (status ?? 0) >= 500;
}

/** Whether the caller ended the call before the upstream answered, which says nothing about the upstream. */
function isCancelled({ success, error }: RunResult): boolean {
  return !success && error?.code === "cancelled";
}

/** Carries the result of a cancelled call past the breaker, which takes every other result for a success or a failure. */
class CancelledAttempt extends Error {
  readonly result: RunResult;

  constructor(result: RunResult) {
    super("The call was cancelled.");
    this.result = result;
  }
}

/** Whether the same request may succeed soon. Our own refusals are not repeated, nor answers that were streamed in part. */
function isTransient({ success, error, attempts, streamed }: RunResult): boolean {
  return !success && attempts > 0 && streamed !== true && error?.retryable === true;
}
