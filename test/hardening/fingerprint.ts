/** Everything that a person's request may change, without the rows about requests themselves. */
const TABLES = [
  "agent",
  "api_key",
  "approval",
  "assertion",
  "change",
  "drift_acceptance",
  "handled_denial",
  "intent",
  "issuer",
  "machine",
  "pause",
  "persona",
  "person",
  "policy",
  "revision",
  "revoked_token",
  "secret",
  "settings",
  "source",
  "token",
  "tool",
  "tool_group",
  "view",
  "webhook",
];

/** One text of which row versions these tables hold: a row that is written, even unchanged, makes it another one. */
export const FINGERPRINT = `select concat_ws('|', ${TABLES.map(
  (table) => `(select count(*) || ':' || coalesce(sum(xmin::text::bigint), 0) from "${table}")`,
).join(", ")}) as text`;
