import { deliver, production } from "@/lib/events/deliver";
import { claimDeliveries } from "@/lib/store/events/deliveries";
import { listen } from "@/lib/store/db/database";
import { log } from "@/lib/telemetry/log";

/** Milliseconds between two polls for due deliveries. Notices announce new ones at once. */
const LOOK_MS = 1_000;
/** Concurrent tries of one process. A receiver that hangs holds one place for ten seconds. */
const AT_ONCE = 20;

/**
 * Starts delivering events and callbacks of all processes; returns the function that stops it. The store holds the due
 * deliveries, so after the death of a process another one repeats its tries.
 */
export function workDeliveries(): () => void {
  let busy = 0;
  let looking = false;
  const look = async () => {
    if (looking || busy >= AT_ONCE) return;
    looking = true;
    try {
      for (const delivery of await claimDeliveries(new Date(), AT_ONCE - busy)) {
        busy += 1;
        void deliver(delivery, production).finally(() => (busy -= 1));
      }
    } catch (error) {
      // The store may be lost for a while. The next poll tries again.
      log.debug({ err: error }, "Deliveries could not be looked for.");
    } finally {
      looking = false;
    }
  };
  const clock = setInterval(() => void look(), LOOK_MS).unref();
  const stops = ["delivery", "call_ended"].map((channel) => listen(channel, () => void look()));
  return () => {
    clearInterval(clock);
    for (const stop of stops) stop();
  };
}
