import { z } from "zod";
import { UNLIMITED } from "@/lib/resources/parts/no-limits";

/** The number of calls that may begin in a window of `seconds`. */
const rate = z.strictObject({ points: z.int().min(1).max(1_000_000_000), seconds: z.int().min(1).max(86_400) });

const fields = {
  rate: rate.nullable().default(null),
  /** Calls per UTC day. */
  perDay: z.int().min(1).max(1_000_000_000).nullable().default(null),
  /** Calls that run at the same time. */
  concurrency: z.int().min(1).max(1000).nullable().default(null),
};

/** Limits on the rate and the number of concurrent calls; `null` = no limit (docs/reference/execution.md#limits). */
export const callLimits = z.strictObject(fields);

/**
 * Limits of one tool: over all callers together, and for each caller by `perCaller`; `null` = the installation's
 * default.
 */
export const toolLimits = z.strictObject({
  timeoutSeconds: z.number().min(0.1).max(300).nullable().default(null),
  retries: z.int().min(0).max(2).nullable().default(null),
  /** The largest decoded answer, in MiB. */
  answerMiB: z.number().min(1).max(10).nullable().default(null),
  ...fields,
  perCaller: callLimits.default(UNLIMITED),
});

/**
 * The largest answer of a tool, in bytes; 1 MiB unless its limits say otherwise
 * (docs/reference/execution.md#outbound-http).
 */
export function answerBytes({ answerMiB }: Pick<z.output<typeof toolLimits>, "answerMiB">): number {
  return Math.floor((answerMiB ?? 1) * 1024 * 1024);
}

/** Limits on the rate and the number of concurrent calls. */
export type CallLimits = z.output<typeof callLimits>;
