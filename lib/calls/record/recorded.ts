import { ERRORS, type ErrorCode } from "@/lib/errors";
import { callOutput, type CallOutput } from "@/lib/contracts/agents/agent-api";
import type { ExecutionDetail } from "@/lib/contracts/log/execution";
import type { StoredCall } from "@/lib/store/calls/stored-calls";
import type { Answer } from "@/lib/calls/pipeline/answer";

/** The stored form of an answer: JSON text. */
export function toStoredAnswer({ code, output }: Answer): string {
  return JSON.stringify({ code, output });
}

/** The stored answer; `null` while there is none. */
export function readStoredAnswer({ status, answer }: Pick<StoredCall, "status" | "answer">): Answer | null {
  if (status !== "ended" || answer === null) return null;
  const { code, output } = JSON.parse(answer) as { code: ErrorCode | null; output: unknown };
  return { code, output: callOutput.parse(output) };
}

/** The code of a succeeded call in the log whose answer does not fit its output schema. */
export const OUTPUT_WARNING = "output_warning";

type Complaint = NonNullable<CallOutput["error"]>;
type Warning = NonNullable<CallOutput["output_warning"]>;

/** A warning in logged form: the log keeps it in the column of errors. */
export function toLoggedWarning({ message, problems }: Warning): Complaint {
  return { code: OUTPUT_WARNING, message, retryable: false, details: { problems } };
}

/** The error or warning of a row. A reader without access to bodies gets no problems. */
function toComplaint(error: ExecutionDetail["error"]): Pick<CallOutput, "error" | "output_warning"> {
  if (error === null) return {};
  if (error.code !== OUTPUT_WARNING) return { error };
  const { problems = [] } = (error.details ?? {}) as { problems?: Warning["problems"] };
  return { output_warning: { message: error.message, problems } };
}

/** The delivery guarantee of an async call when its process dies (docs/reference/execution.md#later-streamed-approved). */
export function toDelivery(repeatable: boolean): NonNullable<CallOutput["delivery"]> {
  return repeatable ? "at_least_once" : "at_most_once";
}

/** The answer from the log: its result is redacted, and cut when it was large. `stored` is the call's row in the queue. */
export function recordedAnswer(
  execution: ExecutionDetail,
  stored: Pick<StoredCall, "later" | "repeatable"> | null,
): Answer {
  const { code } = execution;
  const output = {
    ...recordedOutput(execution),
    ...(stored?.later === true && { delivery: toDelivery(stored.repeatable) }),
  };
  return { code: code !== null && code in ERRORS ? (code as ErrorCode) : null, output };
}

function recordedOutput(execution: ExecutionDetail): CallOutput {
  const isName = execution.toolId !== null && execution.asked !== execution.toolId;
  // A refusal repeats the requested name: the true tool would distinguish a hidden tool from an unknown one.
  const ran = execution.attempts > 0;
  const requestedId = execution.asked.includes(":") ? execution.asked : null;
  return {
    call_id: execution.callId,
    tool_id: ran ? execution.toolId : requestedId,
    name: ran && !isName ? null : requestedId === null ? execution.asked : null,
    status: execution.status,
    ...(execution.status === "succeeded" ? toResult(execution) : {}),
    ...toComplaint(execution.error),
    state: { before: execution.stateBefore, after: execution.stateAfter },
    duration_ms: (execution.gatewayMs ?? 0) + (execution.upstreamMs ?? 0),
    attempts: execution.attempts,
    revision: execution.revision,
  };
}

/** A cut result does not have the tool's shape, so it is returned as `truncated` and not as `output`. */
function toResult({ result, truncated }: ExecutionDetail): Pick<CallOutput, "output" | "truncated"> {
  return truncated === null ? { output: result } : { truncated: { ...truncated, beginning: String(result) } };
}
