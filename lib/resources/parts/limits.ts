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

/** The calls that a limit counts: all of a tool, one caller's of a tool, or all of an agent. */
export type LimitScope = "tool" | "caller_and_tool" | "agent";

/** A limit that applies to a call. */
export interface AppliedLimit {
  readonly of: LimitScope;
  readonly limit: "rate" | "per_day" | "concurrency";
  readonly cap: number;
  /** The length of the window; `null` for calls at a time. */
  readonly seconds: number | null;
  /** Calls with the same values share one count. */
  readonly whom: readonly string[];
  /** The words of the log: "rate of tool". */
  readonly reason: string;
}

/** The facts of a call that its limits depend on; `agent` is `null` for an unregistered caller. */
interface LimitedCall {
  readonly toolId: string;
  readonly issuer: string;
  readonly subject: string;
  readonly agent: string | null;
}

/** The limits that apply to a call, by the rows of its tool and its agent (docs/reference/execution.md#limits). */
export function limitsOn(
  { toolId, issuer, subject, agent }: LimitedCall,
  tool: (CallLimits & { readonly perCaller: CallLimits }) | undefined,
  own: CallLimits | undefined,
): AppliedLimit[] {
  return [
    ...appliedIn("tool", [toolId], tool),
    ...appliedIn("caller_and_tool", [toolId, issuer, subject], tool?.perCaller),
    ...(agent === null ? [] : appliedIn("agent", [agent], own)),
  ];
}

const DAY_SECONDS = 86_400;

function appliedIn(of: LimitScope, whom: readonly string[], limits: CallLimits | undefined): AppliedLimit[] {
  const { perDay = null, concurrency = null } = limits ?? {};
  const window = limits?.rate ?? null;
  const one = (limit: AppliedLimit["limit"], cap: number, seconds: number | null) => {
    return { of, limit, cap, seconds, whom, reason: `${limit} of ${of}` };
  };
  return [
    ...(concurrency === null ? [] : [one("concurrency", concurrency, null)]),
    ...(window === null ? [] : [one("rate", window.points, window.seconds)]),
    ...(perDay === null ? [] : [one("per_day", perDay, DAY_SECONDS)]),
  ];
}
