import { z } from "zod";
import { raisedLabel } from "@/lib/contracts/log/held-label";
import { pageOf } from "@/lib/contracts/changes/list";
import { APPROVAL_STATUSES, MAX_APPROVALS_READ } from "@/lib/resources/parts/words";

/** `POST /api/admin/approvals/{id}/approve` and `…/refuse`: the caller receives the reason of a refusal. */
export const approvalAnswer = z.strictObject({ reason: z.string().trim().max(500).default("") });

/** One call that waits, or waited, for a person: the part that every role may read. */
export const approvalRow = z.object({
  /** The call's id. */
  id: z.string(),
  status: z.enum(APPROVAL_STATUSES),
  at: z.iso.datetime(),
  /** When it was answered; while it waits, when it expires. */
  closesAt: z.iso.datetime(),
  issuer: z.string(),
  subject: z.string(),
  agent: z.string().nullable(),
  toolId: z.string(),
  decidedBy: z.string().nullable(),
  reason: z.string().nullable(),
});

/** A page of approvals. */
export const approvalPage = pageOf(approvalRow);

/** One approval with everything that an approver must see. */
export const approvalDetail = approvalRow.extend({
  /** SHA-256 of the tool's definition, and of its run target, at the time of the request. */
  definitionHash: z.string(),
  /** True when the definition has changed or the tool is gone: an approved call would then be refused. */
  definitionChanged: z.boolean(),
  /**
   * Why Quartermaster refuses the call if it is approved now (or was, with this answer), with the present state; null when
   * the rules allow it, or it waited no more.
   */
  refusedNow: z.object({ reason: z.string(), state: z.string().nullable() }).nullable(),
  /** The arguments: complete for a person who may answer, otherwise redacted as in the log; null when hidden. */
  arguments: z.json().nullable(),
  argumentsHidden: z.boolean(),
  /** Paths of shown values that the log masks; only a person who may answer sees these values. */
  sensitive: z.array(z.string()),
  /** The facts behind the decision, under this revision. */
  policies: z.array(z.string()),
  groups: z.array(z.string()),
  revision: z.int(),
  /** The labels that the approval is for, each with the call that raised it. With more labels, the call is refused. */
  raisedBy: z.array(raisedLabel),
  state: z.string().nullable(),
  session: z.string().nullable(),
  /** The reader's relation: they made the call, or their agent did; null = neither. */
  own: z.enum(["caller", "agent"]).nullable(),
  /** True when the approval waits and the reader may answer it. */
  mayAnswer: z.boolean(),
});

/** `POST /api/admin/approvals/details`: call ids. */
export const approvalsInput = z.strictObject({ ids: z.array(z.string().max(64)).min(1).max(MAX_APPROVALS_READ) });

/** The approvals of these ids, without those that do not exist. */
export const approvalsOutput = z.object({ items: z.array(approvalDetail) });

/** One row of the approvals. */
export type ApprovalRow = z.output<typeof approvalRow>;
/** One approval with the call's details. */
export type ApprovalDetail = z.output<typeof approvalDetail>;
