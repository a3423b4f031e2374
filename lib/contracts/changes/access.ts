import { z } from "zod";
import { requestRow } from "@/lib/contracts/changes/request";
import { pageOf } from "@/lib/contracts/changes/list";

const reason = z.string().trim().max(500).default("");

/** `POST /api/admin/access-requests/{id}/approve`. */
export const accessApproval = z.strictObject({
  /** The hash of the request that was read. */
  hash: z.string().length(64),
  /** Absent = as requested. The answer may shorten the request, never lengthen it. */
  hours: z.int().min(1).max(720).optional(),
  reason,
});

/** `POST /api/admin/access-requests/{id}/refuse`: the caller receives the reason. */
export const accessRefusal = z.strictObject({ reason });

/** One access request with its grant. */
export const accessDetail = requestRow.extend({
  /** The request policy that offers the tool. */
  policy: z.string(),
  /** The longest grant of the policy now; `null` when it offers nothing any more. */
  maxHours: z.int().nullable(),
  /** The policy's argument conditions in words: those of now, and of an ended grant those of the time when it was granted. */
  conditions: z.array(z.string()),
  /** Whether each call of the tool waits for an approval also after the grant. Flow rules may require more. */
  needsApproval: z.boolean(),
  /** The reader's relation: they made the request, or their agent did; `null` = neither. */
  own: z.enum(["caller", "agent"]).nullable(),
  /** Whether the reader may answer the request now, and end the grant now. */
  mayAnswer: z.boolean(),
  mayEnd: z.boolean(),
});

/** A page of access requests. */
export const accessPage = pageOf(requestRow);

/** One access request with its grant. */
export type AccessDetail = z.output<typeof accessDetail>;
