import { z } from "zod";
import { agent } from "@/lib/auth/agents/agent";
import { AppError } from "@/lib/errors";
import { route } from "@/lib/http/route";
import type { CallOutput } from "@/lib/resources/agent-api";
import type { ExecutionDetail } from "@/lib/resources/execution";
import { getExecution } from "@/lib/store/executions";

/** GET /api/agents/calls/{call_id}: what is recorded of one of the caller's own calls; results as stored, redacted. */
export const readCall = route({
  authenticate: agent(),
  params: z.object({ id: z.string().min(1).max(64) }),
  respond: async ({ caller, params: { id } }) => {
    const execution = await getExecution(id, { bodies: true });
    const { issuer, subject } = caller.principal;
    if (execution === null || execution.issuer !== issuer || execution.subject !== subject)
      throw new AppError("not_found", "There is no such call of yours.");
    return toOutput(execution);
  },
});

function toOutput(execution: ExecutionDetail): CallOutput {
  const isName = execution.toolId !== null && execution.asked !== execution.toolId;
  // A refusal says what was asked for: the log's true tool would tell a hidden one from an unknown one.
  const ran = execution.attempts > 0;
  const askedId = execution.asked.includes(":") ? execution.asked : null;
  return {
    call_id: execution.callId,
    tool_id: ran ? execution.toolId : askedId,
    name: ran && !isName ? null : askedId === null ? execution.asked : null,
    status: execution.status,
    ...(execution.status === "succeeded" ? toResult(execution) : {}),
    ...(execution.error === null ? {} : { error: execution.error }),
    state: { before: execution.stateBefore, after: execution.stateAfter },
    duration_ms: (execution.gatewayMs ?? 0) + (execution.upstreamMs ?? 0),
    attempts: execution.attempts,
    revision: execution.revision,
  };
}

/** Half a document is no output: a reader that expects the tool's shape is told that it was cut. */
function toResult({ result, truncated }: ExecutionDetail): Pick<CallOutput, "output" | "truncated"> {
  return truncated === null ? { output: result } : { truncated: { ...truncated, beginning: String(result) } };
}
