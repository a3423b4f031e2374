import { setTimeout as delay } from "node:timers/promises";
import { log } from "@/lib/telemetry/log";

/** Milliseconds until a process retries a write. */
const RETRY_MS = 1_000;

/**
 * Repeats a write until the store is available again, so that a call continues or its caller learns its end. Never throws.
 *
 * @param id of the call or another event
 */
export async function retryUntilWritten<T>(id: string, write: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await write();
    } catch (error) {
      log.warn({ id, err: error }, "What has happened could not be written yet.");
      await delay(RETRY_MS, undefined, { ref: false });
    }
}
