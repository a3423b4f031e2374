import { AppError } from "@/lib/errors";
import { keyedDigest } from "@/lib/store/keys/cipher";
import { getExecution } from "@/lib/store/log/executions";
import { noteUnfinished } from "@/lib/store/log/executions-reaper";
import type { StoredCall } from "@/lib/store/calls/stored-calls";
import { log } from "@/lib/telemetry/log";
import { isOpen, type Answer } from "@/lib/calls/pipeline/answer";
import type { Call, Refusal } from "@/lib/calls/pipeline/call";
import type { Dependencies } from "@/lib/calls/pipeline/dependencies";
import { readStoredAnswer, recordedAnswer, toStoredAnswer } from "@/lib/calls/record/recorded";
import { argumentsDigest } from "@/lib/calls/record/record";
import { retryUntilWritten } from "@/lib/calls/queue/retry-until-written";

/** The result of claiming a key: the call owns it, it already has an answer, or it is refused. */
type Claim =
  | { readonly kind: "mine" }
  | { readonly kind: "answered"; readonly answer: Answer }
  | { readonly kind: "refused"; readonly refusal: Refusal };

/** Digest of a call's request, without the caller. For arguments out of bounds it covers their problem instead. */
export function bodyDigest(
  call: Pick<Call, "toolId" | "name" | "arguments" | "sessionId" | "stated" | "mode" | "callbackUrl">,
): string {
  const { toolId, name, sessionId, mode, callbackUrl } = call;
  const { group, state, machine, profile, intent, confidence } = call.stated;
  const request = { toolId, name, sessionId, mode, group, state, machine, profile, intent, confidence, callbackUrl };
  return keyedDigest("call", `${argumentsDigest(call)} ${JSON.stringify(request)}`);
}

/**
 * Takes the call's idempotency key: the same key with the same body gives the stored answer, with another body it is
 * refused, and while the first call runs the second must retry later (docs/reference/http.md#agent-api).
 *
 * @throws AppError `log_unavailable` when the store does not answer
 */
async function claimKey(call: Call, key: string, deps: Dependencies): Promise<Claim> {
  const digest = bodyDigest(call);
  let earlier: StoredCall | null;
  try {
    const claim = { callId: call.callId, principal: call.caller.principal, key, bodyDigest: digest };
    earlier = await deps.storedCalls.claimKey(claim, await deps.liveInstance(), deps.now());
  } catch (cause) {
    // The store may have taken the key although its answer was lost.
    noteUnfinished(call.callId);
    throw new AppError("log_unavailable", "The idempotency key cannot be checked, so the call was not run.", { cause });
  }
  if (earlier === null) return { kind: "mine" };
  if (earlier.bodyDigest !== digest)
    return {
      kind: "refused",
      refusal: {
        code: "idempotency_conflict",
        message: "This `Idempotency-Key` was used with another body: use a new key for a new call.",
        reason: `idempotency key of ${earlier.callId}`,
      },
    };
  const answer = await answerOf(earlier);
  if (answer !== null) return { kind: "answered", answer };
  return {
    kind: "refused",
    refusal: {
      code: "idempotency_running",
      message: "The call with this `Idempotency-Key` is still running: send the request again later to get its result.",
      details: { call_id: earlier.callId },
      headers: { "retry-after": "1" },
      reason: `idempotency key of ${earlier.callId}, which runs`,
    },
  };
}

/** The stored answer; for a call whose process died, the outcome in the log. */
async function answerOf(earlier: StoredCall): Promise<Answer | null> {
  const stored = readStoredAnswer(earlier);
  if (stored !== null) return stored;
  // After its outcome is logged, a call still runs until its answer is stored. The log's copy is redacted and cut.
  if (earlier.status !== "ended") return null;
  const execution = await getExecution(earlier.callId, { bodies: true });
  if (execution === null || execution.status === "running") return null;
  return recordedAnswer(execution, earlier);
}

/** What an earlier call with the same key leaves for this one: a refusal, or the stored answer. */
export type KeyOutcome = { readonly refusal: Refusal } | { readonly stored: Answer };

/**
 * Makes a call once for its idempotency key. `run` makes the call, logs the given refusal, or returns the stored answer when
 * the current rules allow the call. A resumed call took its key when it was accepted.
 *
 * @throws AppError `log_unavailable`
 */
export async function runOnce(
  call: Call,
  deps: Dependencies,
  run: (keyOutcome: KeyOutcome | null) => Promise<Answer>,
): Promise<Answer> {
  const { idempotencyKey } = call;
  if (idempotencyKey === null || call.mode === "resumed") return run(null);
  const claim = await claimKey(call, idempotencyKey, deps);
  if (claim.kind === "answered") return run({ stored: claim.answer });
  if (claim.kind === "refused") return run({ refusal: claim.refusal });
  let done: Answer | undefined;
  try {
    return (done = await run(null));
  } finally {
    await settleKey(call, done, deps);
  }
}

/**
 * Stores the answer of a call that ran for its key; if the process dies first, the log's outcome is the answer. Frees the
 * key of a call that never ran, or that may be repeated because nothing was sent. Retries until the store is available.
 */
async function settleKey(call: Call, done: Answer | undefined, deps: Dependencies): Promise<void> {
  const { callId, requestId } = call;
  if (done !== undefined && isOpen(done)) return;
  const mayRepeat = done?.end?.isUnsent === true && done.output.error?.retryable === true;
  const ran = done !== undefined && done.output.attempts > 0 && !mayRepeat;
  const settle = () =>
    ran ? deps.storedCalls.storeAnswer(callId, toStoredAnswer(done)) : deps.storedCalls.freeKey(callId);
  try {
    await settle();
  } catch (error) {
    log.error(
      { callId, requestId, err: error },
      "The answer for an idempotency key could not be stored, or the key could not be freed.",
    );
    // The caller does not wait for this write.
    void retryUntilWritten(callId, settle);
  }
}
