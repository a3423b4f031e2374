import { setTimeout as delay } from "node:timers/promises";
import { log } from "@/lib/telemetry/log";

/** Milliseconds until a process tries again to write down what has happened. */
const AGAIN_MS = 1_000;

/**
 * A store that is lost for a while is waited for: a call goes on, or its caller must hear of its end. Never throws.
 *
 * @param id of the call, or of what else has happened
 */
export async function untilWritten<T>(id: string, write: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await write();
    } catch (error) {
      log.warn({ id, err: error }, "What has happened could not be written yet.");
      await delay(AGAIN_MS, undefined, { ref: false });
    }
}
