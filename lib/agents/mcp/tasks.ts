import { MissingRequiredClientCapabilityError, type Server } from "@modelcontextprotocol/server";
import { z } from "zod";
import { refusalOf, resultOf } from "@/lib/agents/mcp/call-tool";
import { toProtocolError } from "@/lib/agents/mcp/protocol-error";
import type { McpRequest } from "@/lib/agents/mcp/request";
import { supportsTasks, TASKS, toOpenTask, toTask, type EndedTask, type OpenTask } from "@/lib/agents/mcp/task";
import { cancelAcceptedCall, shownTo, readCallStatus, type CallStatus } from "@/lib/agents/rest/call-status";
import { endOfCall } from "@/lib/store/log/executions";
import type { Answer } from "@/lib/calls/pipeline/answer";

const TASKS_CAPABILITY = { extensions: { [TASKS]: {} } };
const taskParams = z.object({ taskId: z.string().min(1).max(64) });

/**
 * Adds the task methods of 2026-07-28 (SEP-2663) for the caller's own calls. A task is a stored call, so every process can
 * answer. The server ignores `tasks/update`, because it asks clients for no input.
 */
export function serveTasks(server: Server, request: McpRequest): void {
  const { requestId, caller, body } = request;
  const { principal } = caller;
  server.registerCapabilities(TASKS_CAPABILITY);
  const withTask = async <T>(taskId: string, answer: (status: CallStatus) => Promise<T>): Promise<T> => {
    if (!supportsTasks(body))
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: TASKS_CAPABILITY });
    try {
      return await answer(await shownTo(caller, await readCallStatus(taskId, principal)));
    } catch (error) {
      throw toProtocolError(error, requestId);
    }
  };
  server.setRequestHandler("tasks/get", { params: taskParams }, ({ taskId }) =>
    withTask(taskId, async ({ answer, ended }): Promise<OpenTask | EndedTask> =>
      ended ? toEndedTask(answer, requestId) : toOpenTask(answer.output),
    ),
  );
  server.setRequestHandler("tasks/cancel", { params: taskParams }, ({ taskId }) =>
    withTask(taskId, async ({ answer, ended }) => {
      if (!ended) await cancelAcceptedCall(answer, principal);
      return {};
    }),
  );
  server.setRequestHandler("tasks/update", { params: taskParams }, ({ taskId }) => withTask(taskId, async () => ({})));
}

async function toEndedTask(answer: Answer, requestId: string): Promise<EndedTask> {
  const { output } = answer;
  const task = toTask(output, await endOfCall(output.call_id));
  if (output.status === "cancelled") return { ...task, status: "cancelled" };
  const refusal = refusalOf(answer);
  if (refusal === null)
    return { ...task, status: "completed", result: { resultType: "complete", ...(await resultOf(answer, "any")) } };
  const { code, message } = toProtocolError(refusal, requestId);
  return { ...task, status: "failed", error: { code, message } };
}
