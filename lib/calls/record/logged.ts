import { AppError } from "@/lib/errors";
import { noteUnfinished } from "@/lib/store/log/executions-reaper";
import { log } from "@/lib/telemetry/log";
import type { Call } from "@/lib/calls/pipeline/call";

/** No row, no run: whatever the store throws while a row is written is `log_unavailable`. @throws AppError */
export async function logged<T>(
  { callId, requestId }: Pick<Call, "callId" | "requestId">,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (cause) {
    log.error({ callId, requestId, err: cause }, "The log cannot be written.");
    // The row may be there all the same: only the answer may have been lost.
    noteUnfinished(callId);
    throw new AppError("log_unavailable", "The call cannot be logged, so it was not run; try again.", { cause });
  }
}
