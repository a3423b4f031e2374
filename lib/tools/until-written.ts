import { setTimeout as delay } from "node:timers/promises";
import { log } from "@/lib/telemetry/log";

/** Milliseconds until a process tries again to write down how a call ended. */
const AGAIN_MS = 1_000;

/** A store that is lost for a while is waited for: a call goes on, or its caller must hear of its end. Never throws. */
export async function untilWritten<T>(callId: string, write: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await write();
    } catch (error) {
      log.warn({ callId, err: error }, "What becomes of a kept call could not be written yet.");
      await delay(AGAIN_MS, undefined, { ref: false });
    }
}
