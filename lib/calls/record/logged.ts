import { AppError } from "@/lib/errors";
import { noteUnfinished } from "@/lib/store/log/executions-reaper";
import { log } from "@/lib/telemetry/log";
import type { Call } from "@/lib/calls/pipeline/call";

/** Turns an error of a write before the run into `log_unavailable`: without its row no call runs. @throws AppError */
export async function logged<T>(
  { callId, requestId }: Pick<Call, "callId" | "requestId">,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (cause) {
    log.error({ callId, requestId, err: cause }, "The log cannot be written.");
    // The row may exist although the store's answer was lost.
    noteUnfinished(callId);
    throw new AppError("log_unavailable", "The call cannot be logged, so it was not run; try again.", { cause });
  }
}
