import { reauthenticate } from "@/lib/auth/agents/authenticate";
import type { ErrorCode } from "@/lib/errors";
import { publishEvent } from "@/lib/store/calls/call-notices";
import { getExecution } from "@/lib/store/log/executions";
import { checkPreconditions, endIntent, type SessionMove } from "@/lib/store/log/executions-log";
import type { Outcome } from "@/lib/store/log/executions-rows";
import { liveInstance } from "@/lib/store/log/executions-reaper";
import { storeAnswer } from "@/lib/store/calls/stored-calls";
import { claimCalls, makeDue, releaseCall, releaseLostClaims, type ClaimedCall } from "@/lib/store/calls/queued-calls";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";
import { log } from "@/lib/telemetry/log";
import { answerer, toCancelled, type Answer } from "@/lib/calls/pipeline/answer";
import type { CallListener } from "@/lib/calls/pipeline/call";
import { production, type Dependencies } from "@/lib/calls/pipeline/dependencies";
import { executeAnswered } from "@/lib/calls/pipeline/execute";
import { untilSessionFree } from "@/lib/calls/pipeline/session-turn";
import type { Job } from "@/lib/calls/queue/queued";
import { toStoredAnswer } from "@/lib/calls/record/recorded";
import { runningHere, registerRunning } from "@/lib/calls/queue/running";
import { retryUntilWritten } from "@/lib/calls/queue/retry-until-written";

/**
 * Codes after which a call that has not begun goes back to the queue, because no rule refused it: it waits for the store, for
 * its session or for its place. Then it is decided again. A run and a refusal can end with these codes too.
 */
const RETURNED_CODES: ReadonlySet<ErrorCode | null> = new Set([
  "config_unavailable",
  "log_unavailable",
  "session_busy",
  "overloaded",
]);

/** The longest time that an accepted call returns to the queue. */
const MAX_WAIT_HOURS = 24;

/** How long a process polls the session of a call that it returned. Ends before the call is due without it. */
const POLLED_MS = 1_500;

/** The sessions that this process polls. Of several calls that wait for one session, only one can get it. */
const polled = new Set<string>();

/** Calls that one run claims. The bulkheads limit how many of them run at once. */
const BATCH = 20;

/**
 * Returns the job's run: it claims queued calls, whichever process accepted them, and starts each of them. Only this job
 * claims, and its runs never overlap: so a call that is claimed here and not held has not begun.
 */
export function queuedCalls(deps: () => Dependencies = production): () => Promise<void> {
  let isClaimLost = false;
  return async () => {
    const instance = await liveInstance();
    if (isClaimLost)
      for (const call of await releaseLostClaims(instance, runningHere())) start(call, endCancelled, deps());
    isClaimLost = true;
    const claimed = await claimCalls(instance, BATCH);
    isClaimLost = false;
    for (const call of claimed) start(call, runClaimed, deps());
  };
}

function start(claimed: ClaimedCall, work: typeof runClaimed, deps: Dependencies): void {
  const { callId } = claimed;
  // From here on, an ending process waits for the call.
  const ended = registerRunning(callId);
  work(claimed, deps)
    .catch((error: unknown) => log.error({ callId, err: error }, "A queued call was lost."))
    .finally(ended);
}

/**
 * Runs a claimed call through the whole pipeline. Checks access again under the current rules; the decision at acceptance
 * does not count (docs/reference/execution.md#later-streamed-approved). Its intent has been in the log since then.
 */
export async function runClaimed(claimed: ClaimedCall, deps: Dependencies): Promise<void> {
  const { callId, text } = claimed;
  await (text === null ? end(callId, unreadable(callId), deps) : runDecrypted(claimed, text, deps));
}

async function runDecrypted(claimed: ClaimedCall, text: string, deps: Dependencies): Promise<void> {
  const { callId } = claimed;
  const { call, caller } = JSON.parse(text) as Job;
  const events = publisherOf(callId);
  let hasBegun = false;
  // The job stores its caller as it was. No revision has this number, so the pipeline reads the caller again before it decides.
  const made = await executeAnswered(
    {
      ...call,
      caller: { ...caller, revision: -1 },
      reauthenticate: async () => reauthenticate(caller, await currentSnapshot(), deps.now()),
      mode: "resumed",
      listener: events.listener,
      onAuthorized: () => (hasBegun = true),
      trace: call.trace ?? null,
    },
    toResumingDependencies(deps),
  );
  // A run may have had its effect, whatever its code, and has an outcome: it never runs twice. A refusal has an `end`.
  const isReturned = !hasBegun && made.end === undefined && RETURNED_CODES.has(made.code);
  const isLate = isReturned && (await hasWaitedTooLong(call, deps));
  if (isReturned && !isLate && (await retryUntilWritten(callId, () => releaseCall(claimed)))) {
    if (made.code === "session_busy" && call.sessionId !== null) void dueWhenFree(callId, call.sessionId, deps);
    return;
  }
  const answer = !isReturned ? made : isLate ? toGivenUp(made) : toCancelled(made);
  await events.published();
  await end(callId, answer, deps);
}

/**
 * Makes a returned call due once its session is free, because calls that do not queue poll the session too. Meanwhile the
 * call is in the queue, where it outlives this process.
 */
async function dueWhenFree(callId: string, session: string, deps: Dependencies): Promise<void> {
  if (polled.has(session)) return;
  polled.add(session);
  try {
    if (await untilSessionFree(session, deps, deps.elapsed() + POLLED_MS)) await makeDue(callId);
  } catch (error) {
    log.debug({ callId, err: error }, "The session of a waiting call could not be polled: the call is due later.");
  } finally {
    polled.delete(session);
  }
}

/** A person's time to approve the call does not count. While the approval cannot be read, the call stays accepted. */
async function hasWaitedTooLong({ callId, at }: Job["call"], deps: Dependencies): Promise<boolean> {
  const isTooLong = (since: number) => deps.now() - since > MAX_WAIT_HOURS * 3_600_000;
  if (!isTooLong(at)) return false;
  try {
    const approval = await deps.storedCalls.findApproval(callId);
    return approval?.status !== "approved" || isTooLong(approval.closesAt.getTime());
  } catch (error) {
    log.warn({ callId, err: error }, "The approval of a waiting call could not be read.");
    return false;
  }
}

/** The answer of a call that has waited too long, from the answer to its last try. Its code names what it waited for. */
function toGivenUp({ code, output }: Answer): Answer {
  const { error } = output;
  if (error === undefined) return { code, output };
  const message = `The call waited ${MAX_WAIT_HOURS} hours and did not run. The last try: ${error.message}`;
  return { code, output: { ...output, error: { ...error, message } } };
}

/** Ends a call that was cancelled before it began. */
function endCancelled({ callId, text }: ClaimedCall, deps: Dependencies): Promise<void> {
  if (text === null) return end(callId, unreadable(callId), deps);
  const { call } = JSON.parse(text) as Job;
  const accepted = answerer(call, () => deps.now() - call.at).accepted("pending", {});
  return end(callId, toCancelled(accepted), deps);
}

function end(callId: string, answer: Answer, deps: Dependencies): Promise<void> {
  return retryUntilWritten(callId, async () => {
    await endIntent(callId, new Date(deps.now()), answer);
    await storeAnswer(callId, toStoredAnswer(answer));
  });
}

/** A job that was encrypted under a lost master key cannot run. */
function unreadable(callId: string): Answer {
  const error = { code: "internal", message: "The call can no longer be read, so it was not run.", retryable: false };
  const state = { before: null, after: null };
  const nothing = { tool_id: null, name: null, duration_ms: 0, attempts: 0, revision: 0 };
  return { code: "internal", output: { call_id: callId, ...nothing, status: "failed", state, error } };
}

/** The intent is already written: that step only checks whether the decision still holds. */
function toResumingDependencies(deps: Dependencies): Dependencies {
  return {
    ...deps,
    nested: deps,
    writeIntent: (_intent, preconditions) => checkPreconditions(preconditions),
    writeRefusal: async (_intent, outcome, preconditions, move) => {
      const current = await checkPreconditions(preconditions);
      if (current.written) await retryUntilWritten(outcome.callId, () => writeOutcomeOnce(outcome, move, deps));
      return current;
    },
  };
}

/** Writes the outcome. A failed write may have committed, and a call that has an outcome never returns to the queue. */
async function writeOutcomeOnce(
  outcome: Outcome,
  move: SessionMove | null,
  deps: Pick<Dependencies, "writeOutcome">,
): Promise<void> {
  try {
    await deps.writeOutcome(outcome, move);
  } catch (error) {
    const logged = await getExecution(outcome.callId, { bodies: false });
    if (logged?.status === "running") throw error;
  }
}

/**
 * The most notices of one call that wait to be sent. The answer waits for them. Further chunks are left to the answer,
 * and further progress replaces the last that was not sent.
 */
const MAX_UNSENT = { chunk: 500, progress: 10 };

interface Notice {
  readonly event: "progress" | "chunk";
  data: Parameters<CallListener["chunk"]>[0];
}

/**
 * Publishes the events of a call in order, to followers on any instance. A lost event is no loss, because the answer
 * contains all of it. `published` resolves when no event is left to send.
 */
function publisherOf(callId: string): { readonly listener: CallListener; readonly published: () => Promise<void> } {
  let published: Promise<void> = Promise.resolve();
  /** In the order of publication: the first is on its way. */
  const unsent: Notice[] = [];
  const publish = (event: Notice["event"], data: Notice["data"]) => {
    if (unsent.length >= MAX_UNSENT[event]) {
      const last = unsent.findLast((notice, index) => index > 0 && notice.event === "progress");
      if (event === "progress" && last !== undefined) last.data = data;
      if (event === "chunk" || last !== undefined) return;
    }
    const notice: Notice = { event, data };
    unsent.push(notice);
    published = published
      .then(() => publishEvent(callId, notice.event, notice.data))
      .catch(() => {})
      .finally(() => void unsent.shift());
  };
  return {
    listener: {
      progress: (fraction, message) => publish("progress", { fraction, message }),
      chunk: (data) => publish("chunk", data),
    },
    published: () => published,
  };
}
