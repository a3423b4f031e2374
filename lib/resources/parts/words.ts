// The closed sets of words that rows carry and lists filter by. Without shapes: pages have them without the schemas,
// which are 90 KB.

/** Where an approval stands; only `waiting` can still be answered. */
export const APPROVAL_STATUSES = ["waiting", "approved", "refused", "expired", "cancelled"] as const;

/** What became of a row. */
export const CHANGE_ACTIONS = ["create", "update", "delete"] as const;

/** How a call ended, or where it stands. */
export const CALL_STATUSES = [
  "succeeded",
  "failed",
  "denied",
  "pending",
  "running",
  "awaiting_approval",
  "cancelled",
] as const;

/** What stands in a stored body where a secret was. */
export const MASK = "[redacted]";
/** Stands among the names that are masked for a shape: e-mail addresses go wherever they are. */
export const EMAIL_SHAPE = "shape:email";

/** How a delivery stands: it goes on, it arrived, every try failed, or there was no reason left to try. */
export const DELIVERY_STATUSES = ["pending", "delivered", "failed", "dropped"] as const;

/** What a sync found: an operation that waits to join, a definition that waits to be approved, a tool that is gone. */
export const DRIFT_KINDS = ["new", "changed", "removed"] as const;
/** How closely to look at a drift, least first. */
export const SEVERITIES = ["low", "medium", "high"] as const;

/** How routing narrows a session, as its rows say it (docs/reference/decision.md#tier). */
export const ROUTING_MODES = ["full", "restricted", "restricted_with_resolution", "none"] as const;

/** What an entry of the audit trail is: a change of the configuration, an event, or refusals counted together. */
export const AUDIT_KINDS = ["change", "event", "refusal"] as const;

/** Who an audit event names. */
export const AUDIT_ACTOR_KINDS = ["user", "token", "system", "agent", "address"] as const;

/** The actions of audit events, in words. Events that begin with `refused.` are counted per minute. */
export const AUDIT_ACTIONS = {
  "people.signed_in": "signed in",
  "people.signed_out": "signed out",
  "users.password": "set a password",
  "executions.bodies": "read the bodies of a call",
  "executions.arguments": "read the arguments of calls",
  "executions.exported": "exported the log",
  "executions.erased": "erased the bodies of a call",
  "sessions.bodies": "read what a session was told",
  "lists.exported": "exported a list",
  "impact.matchers": "counted callers by a matcher",
  "sources.breaker_reset": "closed a circuit breaker",
  "tools.tried": "tried a tool",
  "approvals.arguments": "read the arguments of a waiting call",
  "approvals.approved": "approved a call",
  "approvals.refused": "refused a call",
  "refused.sign_in": "failed to sign in",
  "refused.credential": "agent credential refused",
  "refused.session": "admin credential refused",
  "refused.forbidden": "admin request forbidden",
  "refused.body": "request body refused",
} as const;

/** A coarse count of callers is 0, 1 (1 to 4) or this (5 and more). */
export const MANY = 5;

/** What a verification can find wrong with the log. */
export const FINDINGS = {
  row_edited: "A sealed row is not what it was",
  row_deleted: "A sealed row is gone",
  row_inserted: "A row was put among sealed ones",
  body_edited: "A body is not what its row committed to",
  body_deleted: "A body is gone, and nobody erased it",
  leaves_edited: "The list of a seal's rows is not what was signed",
  seal_edited: "A seal is not what was signed, or not followed by what came after it",
  seal_missing: "A seal is gone",
  key_unknown: "A seal is signed by a key that is not this installation's",
  drop_forged: "A month was dropped, and the record of it is not what was signed",
  rolled_back: "The checkpoint knows seals that the database does not have",
  checkpoint_differs: "The checkpoint knows another seal under this number",
  unsealed: "Rows have waited for a seal for too long",
} as const;
