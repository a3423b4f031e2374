// Closed sets of values that rows contain and lists filter by. This file imports no schema, so that pages do not load the
// 90 KB of schemas.

/** No new row has this name: at `/admin/<kind>/new` is the form for a new row, which hides the page of such a row. */
export const FORM_NAME = "new";
/** Why `FORM_NAME` is refused. */
export const FORM_NAME_REFUSED = `\`${FORM_NAME}\` is the address of the form for a new row: enter another name`;

/** The status of an approval; only `waiting` can still be answered. */
export const APPROVAL_STATUSES = ["waiting", "approved", "refused", "expired", "cancelled"] as const;

/** The most approvals that one HTTP request reads: one page of the list. */
export const MAX_APPROVALS_READ = 100;

/** Which changes wait for a second person, from none to all. */
export const REVIEW_MODES = ["off", "widening", "all"] as const;
/** A value of `REVIEW_MODES`. */
export type ReviewMode = (typeof REVIEW_MODES)[number];

/** The kind of a request that a person answers: a change of the configuration, or access to a tool for some hours. */
export const REQUEST_KINDS = ["change", "access"] as const;
/** The status of an access request; only `open` can still be answered. */
export const ACCESS_STATUSES = ["open", "applied", "refused", "withdrawn", "expired", "outdated"] as const;
/** The status of a request. `bypassed`: applied without review, and reverted unless a second person confirms it. */
export const REQUEST_STATUSES = [...ACCESS_STATUSES, "bypassed", "reverted"] as const;

/** The action of a change on a row. */
export const CHANGE_ACTIONS = ["create", "update", "delete"] as const;

/** The status of a call. */
export const CALL_STATUSES = [
  "succeeded",
  "failed",
  "denied",
  "pending",
  "running",
  "awaiting_approval",
  "cancelled",
] as const;

/** The text that replaces a secret in a stored body. */
export const MASK = "[redacted]";
/** The entry of the setting `redact` that masks e-mail addresses in every field. */
export const EMAIL_SHAPE = "shape:email";

/** The status of a delivery: in progress, delivered, every attempt failed, or dropped because it can no longer be sent. */
export const DELIVERY_STATUSES = ["pending", "delivered", "failed", "dropped"] as const;

/** What a sync found: a new operation, a changed definition that needs approval, a removed tool. */
export const DRIFT_KINDS = ["new", "changed", "removed"] as const;
/** How urgently a drift needs review, least urgent first. */
export const SEVERITIES = ["low", "medium", "high"] as const;

/** How routing narrows a session, as session rows show it (docs/reference/decision.md#tier). */
export const ROUTING_MODES = ["full", "restricted", "restricted_with_resolution", "none"] as const;

/** The kind of an audit trail entry: a change of the configuration, an event, or counted refusals. */
export const AUDIT_KINDS = ["change", "event", "refusal"] as const;

/** The kinds of actors in audit events. */
export const AUDIT_ACTOR_KINDS = ["user", "token", "system", "agent", "address", "client"] as const;

/** A coarse count of callers is 0, 1 (1 to 4) or this value (5 and more). */
export const MANY = 5;

/** The defects of the log that a verification can find. */
export const LOG_DEFECTS = {
  row_edited: "A sealed row was changed",
  row_deleted: "A sealed row is missing",
  row_inserted: "A row was added among sealed rows",
  body_edited: "A body was changed",
  body_deleted: "A body is missing and was not erased",
  body_inserted: "A body was added to a row that has none",
  leaves_edited: "The row list of a seal was changed",
  seal_edited: "A seal was changed, or the chain of seals is broken",
  seal_missing: "A seal is missing",
  key_unknown: "A seal is signed with an unknown key",
  drop_forged: "The record of a dropped month was changed",
  rolled_back: "The database lacks seals that the checkpoint has",
  checkpoint_differs: "The checkpoint has another seal with this number",
  unsealed: "Rows have not been sealed for too long",
} as const;

/** The logged reason of calls that a person refused. Their answer resolves the kind of refusal: nothing is open. */
export const REFUSED_BY_PERSON = "approval_denied";
