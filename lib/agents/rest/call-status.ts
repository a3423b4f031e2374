import { AppError } from "@/lib/errors";
import { expireApprovals } from "@/lib/store/calls/approvals";
import type { Caller } from "@/lib/auth/agents/caller";
import { findAsked, getExecution } from "@/lib/store/log/executions";
import { cancelKept, readKept } from "@/lib/store/calls/kept-calls";
import { identityParts, type Principal } from "@/lib/store/calls/sessions";
import { givenUp, isOpen, type Answer } from "@/lib/calls/pipeline/answer";
import { unlessWithheld } from "@/lib/calls/pipeline/may-read";
import { keptAnswer, recordedAnswer, toKeptText } from "@/lib/calls/record/recorded";

/** The state of a call. */
export interface CallStatus {
  readonly answer: Answer;
  readonly ended: boolean;
}

/** The state of one of the caller's own calls. @throws AppError `not_found`, also for another caller's call */
export async function readCallStatus(id: string, principal: Principal): Promise<CallStatus> {
  const kept = await readKept(id, principal);
  if (kept?.status === "waiting" && (await expireApprovals(new Date())) > 0) return readCallStatus(id, principal);
  const answered = kept === null ? null : keptAnswer(kept);
  if (answered !== null) return { answer: answered, ended: true };
  const [execution, asked] = await Promise.all([getExecution(id, { bodies: true }), findAsked(id)]);
  if (execution === null || asked === null || !isSame(identityParts(asked), identityParts(principal)))
    throw new AppError("not_found", "There is no such call of yours.");
  const answer = recordedAnswer(execution, kept);
  if (kept?.status === "queued") return open(answer, "pending");
  // The outcome is in the log, but the answer is not stored yet. The log's copy is redacted and cut, so the call still runs.
  if (kept?.status === "running") return open(answer, "running");
  return { answer, ended: !isOpen(answer) };
}

/** The state that the caller may see: withholds the answer while the tool is no longer visible to the caller. */
export async function shownTo(caller: Caller, now: CallStatus): Promise<CallStatus> {
  return now.ended ? { ...now, answer: await unlessWithheld(now.answer, caller) } : now;
}

/** Cancels an accepted call and returns its answer then. If it already runs, its process gets a notice. */
export async function giveUp(answer: Answer, principal: Principal): Promise<Answer> {
  const before = givenUp(answer);
  await cancelKept(answer.output.call_id, principal, { ended: before, answer: toKeptText(before) });
  return before;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function open({ output }: Answer, status: "pending" | "running"): CallStatus {
  const { output: _output, truncated: _truncated, error: _error, ...rest } = output;
  return { answer: { code: null, output: { ...rest, status } }, ended: false };
}
