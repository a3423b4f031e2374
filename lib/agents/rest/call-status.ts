import { setTimeout as delay } from "node:timers/promises";
import { AppError } from "@/lib/errors";
import { expireApprovals } from "@/lib/store/calls/approvals";
import type { Caller } from "@/lib/auth/agents/caller";
import { findLoggedRequest, getExecution } from "@/lib/store/log/executions";
import { cancelStoredCall, readStoredCall } from "@/lib/store/calls/stored-calls";
import { identityParts, type Principal } from "@/lib/store/calls/sessions";
import { toCancelled, isOpen, type Answer } from "@/lib/calls/pipeline/answer";
import { withholdIfHidden } from "@/lib/calls/pipeline/may-read";
import { readStoredAnswer, recordedAnswer, toStoredAnswer } from "@/lib/calls/record/recorded";

/** A call's answer so far, and whether it has ended. */
export interface CallStatus {
  readonly answer: Answer;
  readonly ended: boolean;
}

/** The state of one of the caller's own calls. @throws AppError `not_found`, also for another caller's call */
export async function readCallStatus(id: string, principal: Principal): Promise<CallStatus> {
  const stored = await readStoredCall(id, principal);
  if (stored?.status === "waiting" && (await expireApprovals(new Date())) > 0) return readCallStatus(id, principal);
  const answered = stored === null ? null : readStoredAnswer(stored);
  if (answered !== null) return { answer: answered, ended: true };
  const [execution, logged] = await Promise.all([getExecution(id, { bodies: true }), findLoggedRequest(id)]);
  if (execution === null || logged === null || !isSame(identityParts(logged), identityParts(principal)))
    throw new AppError("not_found", "You have no such call.");
  const answer = recordedAnswer(execution, stored);
  // The call ended between the two reads. The log's copy of its answer is redacted and cut, so read the stored one.
  if (stored?.status === "waiting" && !isOpen(answer)) return readCallStatus(id, principal);
  if (stored?.status === "queued") return toOpen(answer, "pending");
  // The outcome is in the log, but the answer is not stored yet. The log's copy is redacted and cut, so the call still runs.
  if (stored?.status === "running") return toOpen(answer, "running");
  return { answer, ended: !isOpen(answer) };
}

/** The state that the caller may see: withholds the answer while the tool is no longer visible to the caller. */
export async function shownTo(caller: Caller, status: CallStatus): Promise<CallStatus> {
  return status.ended ? { ...status, answer: await withholdIfHidden(status.answer, caller) } : status;
}

/** Most attempts of a follower's read, and milliseconds between two. */
const MAX_READS = 3;
const RETRY_MS = 1_000;

/**
 * `shownTo` for a client that has waited for the end of its call. Tries again while the store does not answer: a client
 * that gets an error instead of the result repeats the call.
 */
export async function shownToFollower(caller: Caller, ended: CallStatus): Promise<CallStatus> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await shownTo(caller, ended);
    } catch (error) {
      if (attempt === MAX_READS || !(error instanceof AppError && error.code === "config_unavailable")) throw error;
      await delay(RETRY_MS);
    }
}

/** Cancels an accepted call and returns the cancelled answer. If the call already runs, its process gets a notice. */
export async function cancelAcceptedCall(answer: Answer, principal: Principal): Promise<Answer> {
  const cancelled = toCancelled(answer);
  await cancelStoredCall(answer.output.call_id, principal, { ended: cancelled, answer: toStoredAnswer(cancelled) });
  return cancelled;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function toOpen({ output }: Answer, status: "pending" | "running"): CallStatus {
  const { output: _output, truncated: _truncated, error: _error, ...rest } = output;
  return { answer: { code: null, output: { ...rest, status } }, ended: false };
}
