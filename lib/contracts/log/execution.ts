import { z } from "zod";
import { raisedLabel } from "@/lib/contracts/log/held-label";
import { listQuery, pageOf } from "@/lib/contracts/changes/list";
import { flag, instant, revisionNumber } from "@/lib/resources/parts/name";
import { APPROVAL_STATUSES, CALL_STATUSES } from "@/lib/resources/parts/words";

/** The filters of the log; times are ISO 8601, `from <= at < to`. */
export const executionFilters = z.strictObject({
  q: listQuery.shape.q,
  from: instant.optional(),
  to: instant.optional(),
  agent: z.string().max(200).optional(),
  subject: z.string().max(512).optional(),
  tool: z.string().max(200).optional(),
  source: z.string().max(64).optional(),
  status: z.enum(CALL_STATUSES).optional(),
  code: z.string().max(64).optional(),
  reason: z.string().max(200).optional(),
  policy: z.string().max(64).optional(),
  group: z.string().max(64).optional(),
  /** A tag that the tool has now. */
  tag: z.string().max(200).optional(),
  /** Whether the tool has side effects now. */
  sideEffects: z.enum(["true", "false"], "use true or false").optional(),
  session: z.string().max(64).optional(),
  parent: z.string().max(64).optional(),
  traceId: z
    .string()
    .regex(/^[0-9a-f]{32}$/, "use a trace's id: 32 hexadecimal digits")
    .optional(),
  revision: z.coerce.number().pipe(revisionNumber).optional(),
});

const listed = listQuery.extend(executionFilters.shape);

/**
 * The query of `GET /api/admin/executions`. `arguments=true` adds the arguments of each call, redacted as they are stored.
 * It needs `executions:bodies`, and is logged.
 */
export const executionQuery = listed.extend({ arguments: flag });

/** One execution without bodies: the part that every role may read. */
export const executionRow = z.object({
  callId: z.string(),
  requestId: z.string(),
  at: z.iso.datetime(),
  issuer: z.string(),
  subject: z.string(),
  agent: z.string().nullable(),
  /** Null when the call named a tool that does not exist. */
  toolId: z.string().nullable(),
  /** The tool that the caller named; empty when the request named none. */
  asked: z.string(),
  /** The script's call that made this call; null when an agent made it. */
  parent: z.string().nullable(),
  /** W3C Trace Context: 32 hexadecimal digits; null without a trace. */
  traceId: z.string().nullable(),
  status: z.enum(CALL_STATUSES),
  code: z.string().nullable(),
  /** The true reason: a reason code, or a sentence. */
  reason: z.string().nullable(),
  policies: z.array(z.string()),
  groups: z.array(z.string()),
  /** The flow rules that hid the tool, or by which the call waited for a person. */
  flowRules: z.array(z.string()),
  /** The person who answered the call's approval; null without an answer. */
  approver: z.string().nullable(),
  revision: z.int(),
  session: z.string().nullable(),
  stateBefore: z.string().nullable(),
  stateAfter: z.string().nullable(),
  mode: z.string().nullable(),
  /** How often the tool was tried. In a row of a disabled agent: its refused attempts within a minute. */
  attempts: z.int(),
  /** Milliseconds; null while running, or when nothing was sent. */
  gatewayMs: z.number().nullable(),
  upstreamMs: z.number().nullable(),
  /** When `approver` answered the call's approval; null without an answer. */
  answeredAt: z.iso.datetime().nullable(),
  /** The reason that `approver` gave, empty when they gave none; null without an answer. */
  answerReason: z.string().nullable(),
});

/** A page of executions. */
export const executionPage = pageOf(executionRow.extend({ arguments: z.json().optional() }));

/** One execution with its redacted bodies, for `executions:bodies`; null when the role may not read them. */
export const executionDetail = executionRow.extend({
  /** The OAuth client that the token names; null when it names none. */
  client: z.string().nullable(),
  claimsDigest: z.string(),
  claims: z.record(z.string(), z.json()).nullable(),
  arguments: z.json().nullable(),
  result: z.json().nullable(),
  /** Set when the stored result was cut: the SHA-256 and the size in bytes of the complete result. */
  truncated: z.object({ sha256: z.string(), bytes: z.int() }).nullable(),
  error: z
    .object({ code: z.string(), message: z.string(), retryable: z.boolean(), details: z.json().optional() })
    .nullable(),
  /** The resolved request (group, state, machine, profiles, intent …), to replay in the preview. */
  request: z.record(z.string(), z.json()),
  /** The labels that the caller held, each with the call that raised it. */
  raisedBy: z.array(raisedLabel),
  bodiesHidden: z.boolean(),
  /** The approval that the call asked for; null when it needed none. */
  approval: z
    .object({
      status: z.enum(APPROVAL_STATUSES),
      /** When it was answered; while it waits, when it expires. */
      closesAt: z.iso.datetime(),
      decidedBy: z.string().nullable(),
      reason: z.string().nullable(),
    })
    .nullable(),
  /** When the bodies were erased, and by whom. */
  erased: z.object({ at: z.iso.datetime(), by: z.string() }).nullable(),
});

/** One row of the log. */
export type ExecutionRow = z.output<typeof executionRow>;
/** One row of a list that was asked for arguments. */
export type ListedExecution = ExecutionRow & { readonly arguments?: ExecutionDetail["arguments"] };
/** One row with bodies. */
export type ExecutionDetail = z.output<typeof executionDetail>;
/** The log's filters. */
export type ExecutionFilters = z.output<typeof executionFilters>;
/** The query of the log's list. */
export type ExecutionQuery = z.output<typeof listed>;
