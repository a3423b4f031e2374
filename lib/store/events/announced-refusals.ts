import { db } from "@/lib/store/db/database";
import { announce } from "@/lib/store/events/events";

/** Milliseconds after which a process looks a kind up again. The store forgets kinds after 30 days. */
const KNOWN_MS = 3_600_000;
/** Most kinds that a process remembers. A kind is a code, a reason and a tool. */
const MAX_REMEMBERED = 10_000;

/** When each kind was last found in the store, epoch milliseconds. */
const foundAt = new Map<string, number>();

/** A reason that is a code, also with a limit, a policy or a second code. Other reasons quote calls: their number has no bound. */
const REASON_CODE = /^[a-z_]+(?:: [a-z_]+| (?:of|by) [\w.-]+)?$/;

interface RefusedCall {
  readonly code: string;
  /** The reason in the log: a code, or a sentence. */
  readonly reason: string;
  /** The requested tool; `null` when no such tool exists. */
  readonly toolId: string | null;
  readonly callId: string;
  readonly agent: string | null;
}

/**
 * Announces a refusal, unless an event of the last 30 days has the same tool and reason (docs/reference/execution.md#events).
 * All callers and instances share this event, and all unknown tool names: guessing names makes one event. Runs no statement
 * for a kind that this process has met within the hour.
 */
export async function announceRefusal({ code, reason: logged, toolId, callId, agent }: RefusedCall): Promise<void> {
  const reason = REASON_CODE.test(logged) ? logged : null;
  const key = `refusal ${code} ${JSON.stringify(reason)} ${toolId ?? ""}`;
  const now = Date.now();
  if (now - (foundAt.get(key) ?? 0) < KNOWN_MS) return;
  await announce(db(), {
    type: "refusal.new_kind",
    path: `/admin/executions/${callId}`,
    data: { code, reason, tool_id: toolId, call_id: callId, agent },
    key,
  });
  if (foundAt.size >= MAX_REMEMBERED) foundAt.clear();
  foundAt.set(key, now);
}
