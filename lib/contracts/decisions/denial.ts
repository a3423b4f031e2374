import { z } from "zod";
import { REASONS, type Reason } from "@/lib/access/decide/resolution";
import { executionFilters } from "@/lib/contracts/log/execution";
import { listQuery } from "@/lib/contracts/changes/list";
import { policyInput } from "@/lib/resources/policy";
import { explanationOutput } from "@/lib/contracts/decisions/preview";

/** How far the inbox reaches back that is not told since when, in days. */
export const DENIAL_DAYS = 7;

const { from, to, agent, subject, tool, source, reason, policy } = executionFilters.shape;

/** The query of `GET /api/admin/denials`: `from` and `to` are about when it was refused. */
export const denialQuery = z.strictObject({
  ...listQuery.shape,
  from,
  to,
  agent,
  subject,
  tool,
  source,
  reason,
  policy,
  state: z.enum(["open", "handled"]).default("open"),
});

/** One kind of refusal: the same caller, tool and rule, however often. */
export const denialRow = z.object({
  /** The latest of its calls; any call of a kind names it. */
  id: z.string(),
  issuer: z.string(),
  subject: z.string(),
  agent: z.string().nullable(),
  /** The tool's id; what the caller named, where there was no such tool. */
  tool: z.string(),
  known: z.boolean(),
  code: z.string().nullable(),
  /** A reason code, or a sentence. */
  reason: z.string(),
  /** The policy that took away, where one did. */
  policy: z.string().nullable(),
  calls: z.int(),
  firstAt: z.iso.datetime(),
  lastAt: z.iso.datetime(),
  /** Up to when it was dealt with, and by whom. */
  handledAt: z.iso.datetime().nullable(),
  handledBy: z.string().nullable(),
});

/** What would be decided today of a call like the latest. */
export const denialToday = z.object({
  /** `allowed`: whatever refused it is gone. `conditional`: it depends on the arguments. `unknown`: it cannot be told. */
  verdict: z.enum(["allowed", "conditional", "refused", "unknown"]),
  reason: z.enum(Object.keys(REASONS) as [Reason, ...Reason[]]).nullable(),
  /** Why it cannot be told. */
  problem: z.string().nullable(),
  /** The smallest change that would show the tool; null where there is none to make, or without `executions:bodies`. */
  fix: explanationOutput.shape.fix,
});

/** A kind of refusal with its latest calls, what would be decided today, and the smallest grant that would allow them. */
export const denialDetail = denialRow.extend({
  /** Its latest calls, newest first. */
  examples: z.array(z.object({ callId: z.string(), at: z.iso.datetime(), session: z.string().nullable() })),
  /** Of the configuration that decides today. */
  revision: z.int(),
  today: denialToday,
  /** Null where no policy can give the tool, or none is missing. */
  grant: z
    .object({
      /** A policy for this caller alone, as it would be saved. */
      policy: policyInput,
      /** Tools that the caller would have besides. */
      brings: z.array(z.string()),
      /** What would still be in the way. */
      remaining: z.array(z.string()),
    })
    .nullable(),
});

/** The inbox's question. */
export type DenialQuery = z.output<typeof denialQuery>;
/** One kind of refusal. */
export type DenialRow = z.output<typeof denialRow>;
/** One kind with what to do about it. */
export type DenialDetail = z.output<typeof denialDetail>;
