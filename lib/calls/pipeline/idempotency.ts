import { AppError } from "@/lib/errors";
import { keyedDigest } from "@/lib/store/keys/cipher";
import { getExecution } from "@/lib/store/log/executions";
import { noteUnfinished } from "@/lib/store/log/executions-reaper";
import type { KeptCall } from "@/lib/store/calls/kept-calls";
import { log } from "@/lib/telemetry/log";
import { isOpen, type Answer } from "@/lib/calls/pipeline/answer";
import type { Call, Refusal } from "@/lib/calls/pipeline/call";
import type { Dependencies } from "@/lib/calls/pipeline/dependencies";
import { keptAnswer, recordedAnswer, toKeptText } from "@/lib/calls/record/recorded";
import { argumentsDigest } from "@/lib/calls/record/record";
import { untilWritten } from "@/lib/calls/queue/until-written";

/** What became of a call's key: it is the call's own, it has an answer already, or it is refused. */
type Claim =
  | { readonly kind: "mine" }
  | { readonly kind: "answered"; readonly answer: Answer }
  | { readonly kind: "refused"; readonly refusal: Refusal };

/** Digest of what a call asks, whoever asks it: arguments out of bounds are told from each other by what is wrong. */
export function bodyDigest(
  call: Pick<Call, "toolId" | "name" | "arguments" | "sessionId" | "stated" | "mode" | "callbackUrl">,
): string {
  const { toolId, name, sessionId, mode, callbackUrl } = call;
  const { group, state, machine, profile, intent, confidence } = call.stated;
  const asked = { toolId, name, sessionId, mode, group, state, machine, profile, intent, confidence, callbackUrl };
  return keyedDigest("call", `${argumentsDigest(call)} ${JSON.stringify(asked)}`);
}

/**
 * Takes the call's idempotency key: the same key with the same body gives the stored answer, with another body it is
 * refused, and while the first call runs the second is told to wait (docs/reference/http.md#agent-api).
 *
 * @throws AppError `log_unavailable` when nobody can tell
 */
async function claimKey(call: Call, key: string, deps: Dependencies): Promise<Claim> {
  const digest = bodyDigest(call);
  let earlier: KeptCall | null;
  try {
    const claim = { callId: call.callId, principal: call.caller.principal, key, bodyDigest: digest };
    earlier = await deps.kept.claimKey(claim, await deps.liveInstance(), deps.now());
  } catch (cause) {
    // It may be taken all the same: only the answer may have been lost.
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
      message: "The call with this `Idempotency-Key` still runs: ask again for its answer.",
      details: { call_id: earlier.callId },
      headers: { "retry-after": "1" },
      reason: `idempotency key of ${earlier.callId}, which runs`,
    },
  };
}

/** The answer that was kept; of a call whose process died, what the log knows. */
async function answerOf(earlier: KeptCall): Promise<Answer | null> {
  const kept = keptAnswer(earlier);
  if (kept !== null) return kept;
  // With its outcome in the log a call runs on until its own answer is kept: the log's is redacted and cut.
  if (earlier.status !== "ended") return null;
  const execution = await getExecution(earlier.callId, { bodies: true });
  if (execution === null || execution.status === "running") return null;
  return recordedAnswer(execution, earlier);
}

/** What a call's key decides before the rules do: why the call is refused, or the answer that it has already. */
export type ByKey = { readonly refusal: Refusal } | { readonly stored: Answer };

/**
 * Makes a call once for its idempotency key; `run` makes it, logs the refusal that it is given, or gives the stored answer
 * when the rules of now allow the call. A call without a key, and one
 * that took its key when it was accepted, is simply made.
 *
 * @throws AppError `log_unavailable`
 */
export async function once(
  call: Call,
  deps: Dependencies,
  run: (byKey: ByKey | null) => Promise<Answer>,
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
 * The answer of a call that ran is the answer to its key; when its process dies before that is kept, the log's outcome is.
 * What never ran may be asked again: the key is free. Both as soon as the store can be told.
 */
async function settleKey(call: Call, done: Answer | undefined, deps: Dependencies): Promise<void> {
  const { callId, requestId } = call;
  if (done !== undefined && isOpen(done)) return;
  const ran = done !== undefined && done.output.attempts > 0;
  const settle = () => (ran ? deps.kept.endKept(callId, toKeptText(done)) : deps.kept.freeKey(callId));
  try {
    await settle();
  } catch (error) {
    log.error({ callId, requestId, err: error }, "What became of an idempotency key could not be written.");
    // Whoever waits for the answer does not wait for this.
    void untilWritten(callId, settle);
  }
}
