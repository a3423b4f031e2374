import { singleton } from "@/lib/process/singleton";
import { storedSentence } from "@/lib/audit/record/redact";
import { noteBreaker, onBreakerReset } from "@/lib/store/calls/breakers";
import { liveInstance } from "@/lib/store/log/executions-reaper";
import { log } from "@/lib/telemetry/log";
import { resilience, type Resilience } from "@/lib/calls/limits/resilience";

/** The process's breakers, bulkheads and retry budgets. Stores each change of a breaker. */
export const sharedResilience = singleton("Resilience", start);

function start(): Resilience {
  // Stores changes one after the other, so that the last stored change is the last that happened.
  let stored: Promise<void> = Promise.resolve();
  const own = resilience((source, change) => {
    const tripped = change && { ...change, reason: storedSentence(change.reason, []) };
    log.warn({ source, state: tripped?.state ?? "closed", reason: tripped?.reason }, "A circuit breaker changed.");
    stored = stored
      .then(async () => noteBreaker(source, await liveInstance(), tripped))
      .catch((error: unknown) => log.warn({ source, err: error }, "The state of a breaker could not be stored."));
  });
  onBreakerReset(own.reset);
  return own;
}
