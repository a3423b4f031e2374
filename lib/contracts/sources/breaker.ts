import { z } from "zod";

/** A source's circuit breaker over all running processes (docs/reference/execution.md#outbound-http). */
export const breakerState = z.object({
  /** The worst of all processes: `open` refuses calls, `half_open` lets one try. */
  state: z.enum(["closed", "half_open", "open"]),
  /** Processes whose breaker is not closed. */
  instances: z.array(
    z.object({
      instance: z.string(),
      state: z.enum(["half_open", "open"]),
      since: z.iso.datetime(),
      /** The failure that opened it. */
      reason: z.string(),
    }),
  ),
});

/** A source whose breaker is not closed, and the worst of its processes. */
export const trippedSource = z.object({ source: z.string(), state: z.enum(["half_open", "open"]) });

/** A source's circuit breaker. */
export type BreakerState = z.output<typeof breakerState>;
/** A source that calls are, or were just now, refused to. */
export type TrippedSource = z.output<typeof trippedSource>;
