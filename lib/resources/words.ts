// The closed sets of words that rows carry and lists filter by. Without shapes: pages have them without the schemas,
// which are 90 KB.

/** Where an approval stands; only `waiting` can still be answered. */
export const APPROVAL_STATUSES = ["waiting", "approved", "refused", "expired", "cancelled"] as const;

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

/** How a delivery stands: it goes on, it arrived, every try failed, or there was no reason left to try. */
export const DELIVERY_STATUSES = ["pending", "delivered", "failed", "dropped"] as const;

/** What a sync found: an operation that waits to join, a definition that waits to be approved, a tool that is gone. */
export const DRIFT_KINDS = ["new", "changed", "removed"] as const;
/** How closely to look at a drift, least first. */
export const SEVERITIES = ["low", "medium", "high"] as const;

/** How routing narrows a session, as its rows say it (2-access, step 8). */
export const ROUTING_MODES = ["full", "restricted", "restricted_with_resolution", "none"] as const;
