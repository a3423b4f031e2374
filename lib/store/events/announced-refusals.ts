import { db } from "@/lib/store/db/database";
import { announce } from "@/lib/store/events/events";

/** A kind is looked for in the store again after this long: there it is forgotten after 30 days. */
const KNOWN_MS = 3_600_000;
/** Kinds that one process remembers: codes times tools that are refused. */
const MOST_KNOWN = 10_000;

/** When each kind was last found to be known, in epoch milliseconds. */
const known = new Map<string, number>();

/** A refused call. */
export interface RefusedCall {
  readonly code: string;
  /** The tool that was meant; `null` for what is no tool here. */
  readonly toolId: string | null;
  readonly callId: string;
  readonly agent: string | null;
}

/**
 * Announces a refusal if it is a new kind of one (docs/reference/execution.md#events): the first in 30 days, on any instance, with this
 * code of this tool. All names that lead to no tool are one kind: whoever guesses names makes one event. One
 * statement for a kind that this process has not met within the hour, else none.
 */
export async function announceRefusal({ code, toolId, callId, agent }: RefusedCall): Promise<void> {
  const key = `refusal ${code} ${toolId ?? ""}`;
  const now = Date.now();
  if (now - (known.get(key) ?? 0) < KNOWN_MS) return;
  await announce(db(), {
    type: "refusal.new_kind",
    path: `/admin/executions/${callId}`,
    data: { code, tool_id: toolId, call_id: callId, agent },
    key,
  });
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(key, now);
}
