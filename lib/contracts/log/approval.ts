import { z } from "zod";
import { APPROVAL_STATUSES } from "@/lib/resources/parts/words";

/** `POST /api/admin/approvals/{id}/approve` and `…/refuse`: the caller is told the words of a refusal. */
export const approvalAnswer = z.strictObject({ reason: z.string().trim().max(500).default("") });

/** One call that waits, or waited, for a person: what every role may read. */
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

/** One of them with all that an approver has to see. */
export const approvalDetail = approvalRow.extend({
  /** SHA-256 of the tool's definition, and of where it runs, as it was asked for. */
  definitionHash: z.string(),
  /** That is another one now, or the tool is gone: an approved call would be refused. */
  definitionChanged: z.boolean(),
  /** The arguments: whole for who may answer it, otherwise without secrets, as the log keeps them. Null where they are hidden. */
  arguments: z.json().nullable(),
  argumentsHidden: z.boolean(),
  /** Paths of shown values that the log masks: sensitive ones, which only who may answer it sees. */
  sensitive: z.array(z.string()),
  /** What the decision rested on, under this revision. */
  policies: z.array(z.string()),
  groups: z.array(z.string()),
  revision: z.int(),
  state: z.string().nullable(),
  session: z.string().nullable(),
  /** Whether it is the reader's own: they made the call, or it is their agent's; null = neither. */
  own: z.enum(["caller", "agent"]).nullable(),
  /** It waits, and the reader may answer it. */
  mayAnswer: z.boolean(),
});

/** One row of the approvals. */
export type ApprovalRow = z.output<typeof approvalRow>;
/** One approval with what was asked. */
export type ApprovalDetail = z.output<typeof approvalDetail>;
