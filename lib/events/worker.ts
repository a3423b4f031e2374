import { deliver, production } from "@/lib/events/deliver";
import { claimDeliveries } from "@/lib/store/events/deliveries";
import { listen } from "@/lib/store/db/database";
import { log } from "@/lib/telemetry/log";

/** Milliseconds between two polls for due deliveries. Notices announce new ones at once. */
const POLL_MS = 1_000;
/** Concurrent tries of one process. A receiver that hangs holds one place for ten seconds. */
const MAX_CONCURRENT = 20;

/**
 * Starts delivering events and callbacks of all processes; returns the function that stops it. The store holds the due
 * deliveries, so after the death of a process another one repeats its tries.
 */
export function workDeliveries(): () => void {
  let busy = 0;
  let isPolling = false;
  const poll = async () => {
    if (isPolling || busy >= MAX_CONCURRENT) return;
    isPolling = true;
    try {
      for (const delivery of await claimDeliveries(new Date(), MAX_CONCURRENT - busy)) {
        busy += 1;
        void deliver(delivery, production).finally(() => (busy -= 1));
      }
    } catch (error) {
      // The store may be lost for a while. The next poll tries again.
      log.debug({ err: error }, "Deliveries could not be looked for.");
    } finally {
      isPolling = false;
    }
  };
  const clock = setInterval(() => void poll(), POLL_MS).unref();
  const stops = ["delivery", "call_ended"].map((channel) => listen(channel, () => void poll()));
  return () => {
    clearInterval(clock);
    for (const stop of stops) stop();
  };
}
