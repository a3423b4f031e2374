import { CLIENT_CAPABILITIES_META_KEY, type CallToolResult } from "@modelcontextprotocol/server";
import { z } from "zod";
import { toMeta } from "@/lib/agents/mcp/content";
import type { CallOutput } from "@/lib/contracts/agents/agent-api";
import { timeOfCall } from "@/lib/store/log/call-id";
import { ANSWER_RETENTION_MS } from "@/lib/store/calls/stored-calls";

/** The tasks extension (SEP-2663): an async call is a task, with the call's id. */
export const TASKS = "io.modelcontextprotocol/tasks";

/** The poll interval for clients, in milliseconds. */
const POLL_MS = 1_000;

/** The fields of every task. Times are ISO 8601 in UTC. */
type Task = {
  readonly taskId: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  /** Minimum time after creation for which clients can read it. */
  readonly ttlMs: number;
  readonly pollIntervalMs: number;
};

/** A task that has not ended. */
export type OpenTask = Task & { readonly status: "working"; readonly statusMessage: string };

/** A task that has ended. `failed` is a protocol error; a failure of the tool is a result. */
export type EndedTask = Task &
  (
    | { readonly status: "completed"; readonly result: CallToolResult }
    | { readonly status: "failed"; readonly error: { readonly code: number; readonly message: string } }
    | { readonly status: "cancelled" }
  );

/** The answer of `tools/call` for an async call. The client reads the result from the task. */
export type NewTask = OpenTask & { readonly resultType: "task"; readonly _meta: object };

const messageWithTasks = z.looseObject({
  params: z.looseObject({
    _meta: z.looseObject({
      [CLIENT_CAPABILITIES_META_KEY]: z.looseObject({ extensions: z.looseObject({ [TASKS]: z.looseObject({}) }) }),
    }),
  }),
});

/** Whether this message declares support for tasks. Clients declare it in every message (SEP-2575). */
export function supportsTasks(message: unknown): boolean {
  return messageWithTasks.safeParse(message).success;
}

/** An async call as a new task. */
export function toNewTask(output: CallOutput): NewTask {
  return { resultType: "task", ...toOpenTask(output), _meta: toMeta(output) };
}

/** A call that has not ended, as a task. */
export function toOpenTask(output: CallOutput): OpenTask {
  return { ...toTask(output, null), status: "working", statusMessage: WORKING[output.status] ?? "" };
}

const WORKING: Partial<Record<CallOutput["status"], string>> = {
  pending: "The call is queued.",
  running: "The call is running.",
  awaiting_approval: "A person must approve this call. The call runs after the approval. Do not repeat it.",
};

/** The common fields of a call's task. The last update is the call's end; until then, its creation. */
export function toTask({ call_id: taskId }: CallOutput, endedAt: Date | null): Task {
  const createdAt = timeOfCall(taskId) ?? endedAt ?? new Date();
  return {
    taskId,
    createdAt: createdAt.toISOString(),
    lastUpdatedAt: (endedAt ?? createdAt).toISOString(),
    ttlMs: ANSWER_RETENTION_MS,
    pollIntervalMs: POLL_MS,
  };
}
