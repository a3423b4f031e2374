import { deliver, production } from "@/lib/events/deliver";
import { claimDeliveries } from "@/lib/store/events/deliveries";

/** Concurrent tries of one process. A receiver that hangs holds one place for ten seconds. */
const MAX_CONCURRENT = 20;

/**
 * Returns the job's run: it claims due deliveries of all processes and starts a try of each. The store holds the due
 * deliveries, so after the death of a process another one repeats its tries.
 */
export function dueDeliveries(): (now: Date) => Promise<void> {
  let busy = 0;
  return async (now) => {
    if (busy >= MAX_CONCURRENT) return;
    for (const delivery of await claimDeliveries(now, MAX_CONCURRENT - busy)) {
      busy += 1;
      void deliver(delivery, production).finally(() => (busy -= 1));
    }
  };
}
