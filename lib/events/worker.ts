import { deliver, production } from "@/lib/events/deliver";
import { claimDeliveries } from "@/lib/store/events/deliveries";
import { listen } from "@/lib/store/db/database";
import { log } from "@/lib/telemetry/log";

/** How often a process looks for what is due, in milliseconds; what is new is told at once. */
const LOOK_MS = 1_000;
/** Deliveries that one process tries at a time: a receiver that hangs holds one place for ten seconds. */
const AT_ONCE = 20;

/**
 * Lets this process deliver events and callbacks, whichever process wrote them, until what it returns is called. What is
 * due is in the store, so a process that dies leaves nothing behind but a try that is made again.
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
      // A store that is lost for a while: the next look tries again.
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
