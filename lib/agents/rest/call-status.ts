import { AppError } from "@/lib/errors";
import { expireApprovals } from "@/lib/store/calls/approvals";
import type { Caller } from "@/lib/auth/agents/caller";
import { findAsked, getExecution } from "@/lib/store/log/executions";
import { readKept } from "@/lib/store/calls/kept-calls";
import { identityParts, type Principal } from "@/lib/store/calls/sessions";
import { isOpen, type Answer } from "@/lib/calls/pipeline/answer";
import { unlessWithheld } from "@/lib/calls/pipeline/may-read";
import { keptAnswer, recordedAnswer } from "@/lib/calls/record/recorded";

/** How a call stands. */
export interface CallStatus {
  readonly answer: Answer;
  readonly ended: boolean;
}

/** How one of the caller's own calls stands. @throws AppError `not_found` for another's and an unknown call alike */
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
  // With its outcome in the log a call runs on until its own answer is kept: the log's is redacted and cut.
  if (kept?.status === "running") return open(answer, "running");
  return { answer, ended: !isOpen(answer) };
}

/** The same as its caller may have it: what ended is withheld while the tool is not visible to the caller any more. */
export async function shownTo(caller: Caller, now: CallStatus): Promise<CallStatus> {
  return now.ended ? { ...now, answer: await unlessWithheld(now.answer, caller) } : now;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function open({ output }: Answer, status: "pending" | "running"): CallStatus {
  const { output: _output, truncated: _truncated, error: _error, ...rest } = output;
  return { answer: { code: null, output: { ...rest, status } }, ended: false };
}
