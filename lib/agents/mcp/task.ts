import { CLIENT_CAPABILITIES_META_KEY, type CallToolResult } from "@modelcontextprotocol/server";
import { z } from "zod";
import { toMeta } from "@/lib/agents/mcp/content";
import type { CallOutput } from "@/lib/contracts/agents/agent-api";
import { timeOfCall } from "@/lib/store/log/call-id";
import { KEPT_MS } from "@/lib/store/calls/kept-calls";

/** The extension of tasks (SEP-2663): a call that is answered later is a task, and the call's id is the task's. */
export const TASKS = "io.modelcontextprotocol/tasks";

/** How often a client should look, in milliseconds. */
const POLL_MS = 1_000;

/** What every task says of itself; times as ISO 8601, in UTC. */
type Task = {
  readonly taskId: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  /** How long after its creation it can be asked for at least. */
  readonly ttlMs: number;
  readonly pollIntervalMs: number;
};

/** A task that has not ended. */
export type OpenTask = Task & { readonly status: "working"; readonly statusMessage: string };

/** A task that has: `failed` is what the protocol refuses; a tool's own failure is a result. */
export type EndedTask = Task &
  (
    | { readonly status: "completed"; readonly result: CallToolResult }
    | { readonly status: "failed"; readonly error: { readonly code: number; readonly message: string } }
    | { readonly status: "cancelled" }
  );

/** What `tools/call` answers in place of a result: the result will be the task's. */
export type NewTask = OpenTask & { readonly resultType: "task"; readonly _meta: object };

const declaring = z.looseObject({
  params: z.looseObject({
    _meta: z.looseObject({
      [CLIENT_CAPABILITIES_META_KEY]: z.looseObject({ extensions: z.looseObject({ [TASKS]: z.looseObject({}) }) }),
    }),
  }),
});

/** Whether a client says with this message that it takes tasks: it does so with each (SEP-2575). */
export function takesTasks(message: unknown): boolean {
  return declaring.safeParse(message).success;
}

/** The answer to a call that is answered later. */
export function toNewTask(output: CallOutput): NewTask {
  return { resultType: "task", ...toOpenTask(output), _meta: toMeta(output) };
}

/** How a call stands that has not ended. */
export function toOpenTask(output: CallOutput): OpenTask {
  return { ...toTask(output, null), status: "working", statusMessage: WORKING[output.status] ?? "" };
}

const WORKING: Partial<Record<CallOutput["status"], string>> = {
  pending: "The call waits for its turn.",
  running: "The call runs.",
  awaiting_approval: "A person has to approve this call. It runs when it is approved: do not repeat it.",
};

/** What a task says of itself; it was changed last when it ended, if it has. */
export function toTask({ call_id: taskId }: CallOutput, endedAt: Date | null): Task {
  const createdAt = timeOfCall(taskId) ?? endedAt ?? new Date();
  return {
    taskId,
    createdAt: createdAt.toISOString(),
    lastUpdatedAt: (endedAt ?? createdAt).toISOString(),
    ttlMs: KEPT_MS,
    pollIntervalMs: POLL_MS,
  };
}
