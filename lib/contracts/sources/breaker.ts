import { z } from "zod";

/** A source's circuit breaker in all running processes (docs/reference/execution.md#outbound-http). */
export const breakerState = z.object({
  /** The worst state over all processes: `open` refuses calls, `half_open` allows one trial call. */
  state: z.enum(["closed", "half_open", "open"]),
  /** Processes whose breaker is not closed. */
  instances: z.array(
    z.object({
      instance: z.string(),
      state: z.enum(["half_open", "open"]),
      since: z.iso.datetime(),
      /** The failure that opened the breaker. */
      reason: z.string(),
    }),
  ),
});

/** A source whose breaker is not closed in some process, with the worst state over all processes. */
export const trippedSource = z.object({ source: z.string(), state: z.enum(["half_open", "open"]) });

/** A source's circuit breaker. */
export type BreakerState = z.output<typeof breakerState>;
/** A source whose breaker is not closed. */
export type TrippedSource = z.output<typeof trippedSource>;
