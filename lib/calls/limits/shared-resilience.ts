import { singleton } from "@/lib/process/singleton";
import { storedSentence } from "@/lib/audit/record/redact";
import { noteBreaker, onBreakerReset, type TrippedBreaker } from "@/lib/store/calls/breakers";
import { liveInstance } from "@/lib/store/log/executions-reaper";
import { log } from "@/lib/telemetry/log";
import { resilience, type Resilience } from "@/lib/calls/limits/resilience";

/** Milliseconds until a change that could not be stored is stored again. */
const RETRY_MS = 1_000;

/** The process's breakers, bulkheads and retry budgets. Stores each change of a breaker. */
export const sharedResilience = singleton("Resilience", start);

interface Changed {
  readonly source: string;
  readonly tripped: TrippedBreaker | null;
}

function start(): Resilience {
  // Stores changes one after the other, so that the last stored change is the last that happened.
  let stored: Promise<void> = Promise.resolve();
  const latest = new Map<string, Changed>();
  const store = (change: Changed): void => {
    const { source, tripped } = change;
    stored = stored
      .then(async () => noteBreaker(source, await liveInstance(), tripped))
      .catch((error: unknown) => {
        log.warn({ source, err: error }, "The state of a breaker could not be stored.");
        // Without this, a breaker that closed would be shown as open until it opens and closes again.
        setTimeout(() => latest.get(source) === change && store(change), RETRY_MS).unref();
      });
  };
  const own = resilience((source, change) => {
    const tripped = change && { ...change, reason: storedSentence(change.reason, []) };
    log.warn({ source, state: tripped?.state ?? "closed", reason: tripped?.reason }, "A circuit breaker changed.");
    const changed = { source, tripped };
    latest.set(source, changed);
    store(changed);
  });
  onBreakerReset(own.reset);
  return own;
}
