import { z } from "zod";
import { listQuery, pageOf } from "@/lib/contracts/changes/list";
import { instant } from "@/lib/resources/parts/name";
import { AUDIT_ACTIONS } from "@/lib/contracts/log/audit-actions";
import { AUDIT_ACTOR_KINDS, AUDIT_KINDS, CHANGE_ACTIONS } from "@/lib/resources/parts/words";

/** An action of an audit event. */
export type AuditAction = keyof typeof AUDIT_ACTIONS;
/** An action of a refusal. Refusals are counted, one row per minute. */
export type RefusalAction = Extract<AuditAction, `refused.${string}`>;

const AUDIT_ACTION_NAMES = Object.keys(AUDIT_ACTIONS) as [AuditAction, ...AuditAction[]];

/**
 * Filters of `GET /api/admin/audit`, newest first. `q` searches actor and target; times are ISO 8601, `from <= at <
 * to`.
 */
export const auditQuery = z.strictObject({
  ...listQuery.pick({ q: true, limit: true, cursor: true }).shape,
  sort: z.enum(["at", "-at"], "sort by `at` or `-at`").default("-at"),
  from: instant.optional(),
  to: instant.optional(),
  kind: z.enum(AUDIT_KINDS).optional(),
  action: z.enum([...AUDIT_ACTION_NAMES, ...CHANGE_ACTIONS]).optional(),
  /** A person, a token, an agent or a network address. */
  actor: z.string().max(320).optional(),
  target: z.string().max(320).optional(),
});

/** An audit event, or a change of the configuration as the audit trail lists it. */
export const auditRow = z.object({
  /** `event-NUMBER` or `change-NUMBER`. */
  id: z.string(),
  at: z.iso.datetime(),
  kind: z.enum(AUDIT_KINDS),
  action: z.enum([...AUDIT_ACTION_NAMES, ...CHANGE_ACTIONS]),
  /** `role` is empty for an agent, a client and a network address. */
  actor: z.object({ kind: z.enum(AUDIT_ACTOR_KINDS), name: z.string(), role: z.string() }),
  /** The target: a call id, a session id, an e-mail address, or the id of a changed row. */
  target: z.string(),
  /** The reason of a refusal; the resource of a change. */
  detail: z.string().nullable(),
  address: z.string().nullable(),
  /** The number of occurrences within a minute. */
  count: z.int(),
  requestId: z.string().nullable(),
  /** The id of the change; `null` for an event. */
  change: z.string().nullable(),
});

/** A page of the audit trail. */
export const auditPage = pageOf(auditRow);

/** The filters, parsed. */
export type AuditQuery = z.output<typeof auditQuery>;
/** One row of the audit trail. */
export type AuditRow = z.output<typeof auditRow>;
