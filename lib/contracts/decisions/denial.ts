import { z } from "zod";
import { labelsOfHolder, raisedLabel } from "@/lib/contracts/log/held-label";
import { REASONS, type Reason } from "@/lib/access/decide/resolution";
import { executionFilters } from "@/lib/contracts/log/execution";
import { listQuery, pageOf } from "@/lib/contracts/changes/list";
import { grantOutput } from "@/lib/contracts/decisions/grant";
import { explanationOutput, ref } from "@/lib/contracts/decisions/preview";

/** The period of the inbox in days when the query states no start. */
export const DENIAL_DAYS = 7;

const { from, to, agent, subject, tool, source, reason, policy } = executionFilters.shape;

/** The query of `GET /api/admin/denials`; `from` and `to` limit the time of the refusal. */
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

/** One kind of refusal: all refusals with the same caller, tool and rule. */
export const denialRow = z.object({
  /** The id of the latest refused call. Any call of a kind can name the kind. */
  id: z.string(),
  issuer: z.string(),
  subject: z.string(),
  agent: z.string().nullable(),
  /** The tool's id, or the name in the call when no such tool exists. */
  tool: z.string(),
  known: z.boolean(),
  code: z.string().nullable(),
  /** A reason code, or a sentence. */
  reason: z.string(),
  /** The denying policy, if any. */
  policy: z.string().nullable(),
  calls: z.int(),
  firstAt: z.iso.datetime(),
  lastAt: z.iso.datetime(),
  /** The time up to which the refusals were handled, and by whom. A person who refuses a call handles it thereby. */
  handledAt: z.iso.datetime().nullable(),
  handledBy: z.string().nullable(),
});

/** A page of kinds of refusal. */
export const denialPage = pageOf(denialRow);

/** The decision that a call like the latest would get now. */
const denialToday = z.object({
  /**
   * `allowed`: the cause is gone. `conditional`: the arguments decide. `refused` with `conditions`: they refused the arguments
   * of the latest call, and have not changed. `unknown`: the decision cannot be computed.
   */
  verdict: z.enum(["allowed", "conditional", "refused", "unknown"]),
  /** Whether a call would wait until a person approves it, now or after a grant. */
  needsApproval: z.boolean(),
  /** The policies whose conditions decide on the arguments, each as it describes them. */
  conditions: z.array(z.object({ policy: z.string(), text: z.string() })),
  /** The request policies under which the caller may request access to the tool. A granted request allows the call. */
  offers: z.array(z.string()),
  reason: z.enum(Object.keys(REASONS) as [Reason, ...Reason[]]).nullable(),
  /** Why the decision cannot be computed. */
  problem: z.string().nullable(),
  /**
   * The smallest change that would show the tool; null when there is none, when a grant, a cleared label or `statePath` shows
   * the tool, or without `executions:bodies`.
   */
  fix: explanationOutput.shape.fix,
  /** The state machine of the caller; null for the built-in one, or when the decision cannot be computed. */
  machine: z.string().nullable(),
  /** How calls lead to a state that shows the tool; null unless the state hides it. */
  statePath: explanationOutput.shape.statePath,
});

/** What refused the calls, if it is no rule about who sees which tool: then no grant would allow them. */
const denialCause = z.object({
  kind: z.enum(["limit", "approval"]),
  /** The row that holds the limit or the requirement; null for a limit that is built in. */
  rule: ref.nullable(),
});

/** The flow rules that hid the tool, and the labels of these rules that the caller still holds. */
const denialFlow = z.object({
  rules: z.array(z.string()),
  /** The tool returns when a person clears one label of each rule. */
  held: labelsOfHolder.shape.items,
});

/** A kind of refusal with its latest calls, the decision of today, and the grants that would allow them. */
export const denialDetail = denialRow.extend({
  /** The latest calls, newest first. */
  examples: z.array(z.object({ callId: z.string(), at: z.iso.datetime(), session: z.string().nullable() })),
  /** The labels that the caller held at the latest call, each with the call that raised it. */
  raisedBy: z.array(raisedLabel),
  /** The revision of the configuration that decides now. */
  revision: z.int(),
  today: denialToday,
  /** Null when policies, groups or other steps of a resolution refused the calls. */
  cause: denialCause.nullable(),
  /** Null when no flow rule refused the latest call. */
  flow: denialFlow.nullable(),
  /** Smallest first: the tool alone, then groups. Empty when no policy can give the tool, or no policy is missing. */
  grants: z.array(grantOutput),
});

/** The query of the inbox. */
export type DenialQuery = z.output<typeof denialQuery>;
/** One kind of refusal. */
export type DenialRow = z.output<typeof denialRow>;
/** One kind of refusal with its possible remedy. */
export type DenialDetail = z.output<typeof denialDetail>;
