import type { SignedSeal } from "@/lib/contracts/log/seal";
import type { RunQuery } from "@/lib/store/db/log-session";

// What sealing and verification read and write in the database (docs/reference/log.md#seals).

/** The kind of a sealed record: an intent row, an outcome row or an audit event. */
export type RecordKind = "execution" | "outcome" | "audit";

interface StoredBody {
  readonly callId: string;
  readonly part: "arguments" | "result";
  readonly text: string;
  readonly digest: string;
  readonly sha256: string | null;
  readonly bytes: number | null;
  readonly key: Uint8Array | null;
}

/** The leaves of a seal: the names of its rows in order, one per line, and a hash of 32 bytes for each. */
export interface SealLeaves {
  readonly records: string;
  readonly hashes: Uint8Array;
}

/** The transactions of a batch: `fromXid <= xid < toXid`. */
export interface XidRange {
  readonly fromXid: number;
  readonly toXid: number;
}

/** A batch of calls and audit events. Its audit events are those of `auditFrom <= xid < toXid`. */
export interface BatchRange extends XidRange {
  readonly auditFrom: number;
}

/** A key that was in use before a rotation, and the key that signed it. */
export interface VouchedKey {
  readonly keyId: string;
  readonly x: string;
  readonly vouchedBy: string;
  readonly signature: string;
}

/** The sealed tables of calls. Audit events have their own range in each seal. */
const CALL_TABLES = ["execution", "execution_outcome"] as const;
const AUDIT_TABLE = "audit_event";
/** An advisory lock number that nothing else uses. */
const SEALER_LOCK = 7_203_412;
const IN_RANGE = `xid >= $1::text::xid8 AND xid < $2::text::xid8`;
const SEAL = `number, at, era, "fromXid", "toXid", "auditFrom", count, root, previous, "keyId", signature`;

/** Makes this transaction the only sealer of all processes until it ends; false while another process seals. */
export async function becomeSealer(runQuery: RunQuery): Promise<boolean> {
  const [row] = await runQuery<{ mine: boolean }>("SELECT pg_try_advisory_xact_lock($1) AS mine", [SEALER_LOCK]);
  return row?.mine ?? false;
}

/**
 * Every transaction below `settled` has ended; none at or above `next` has begun (PostgreSQL, `pg_snapshot_xmin`). A
 * later commit has a number at or above `settled`, so sealing up to `settled` misses no row.
 */
export async function readHorizon(runQuery: RunQuery): Promise<{ readonly settled: number; readonly next: number }> {
  const [row] = await runQuery<{ settled: string; next: string }>(
    "SELECT pg_snapshot_xmin(s)::text AS settled, pg_snapshot_xmax(s)::text AS next FROM pg_current_snapshot() s",
  );
  if (row === undefined) throw new Error("the database has no snapshot");
  return { settled: Number(row.settled), next: Number(row.next) };
}

/**
 * Finds the end of a batch of whole transactions that begins at `fromXid` and holds about `most` rows: the transaction
 * after the batch; `null` when all rows below `toXid` fit. A larger transaction is a batch alone.
 */
export async function readBatchEnd(
  runQuery: RunQuery,
  { fromXid, auditFrom, toXid }: BatchRange,
  most: number,
): Promise<number | null> {
  const parts = [
    ...CALL_TABLES.map((table) => `SELECT xid FROM ${table} WHERE ${IN_RANGE}`),
    `SELECT xid FROM ${AUDIT_TABLE} WHERE xid >= $4::text::xid8 AND xid < $2::text::xid8`,
  ];
  const [row] = await runQuery<{ first: string | null; last: string | null; count: number }>(
    `SELECT min(xid::text::bigint) AS first, max(xid::text::bigint) AS last, count(*)::int AS count
     FROM (SELECT xid FROM (${parts.join(" UNION ALL ")}) rows ORDER BY rows.xid LIMIT $3) batch`,
    [String(fromXid), String(toXid), most + 1, String(auditFrom)],
  );
  if (row === undefined || row.count <= most) return null;
  const end = row.first === row.last ? Number(row.last) + 1 : Number(row.last);
  // Audit events from before the last seal all go into one batch: a seal must not end before it begins.
  return Math.max(end, fromXid);
}

/** The highest transaction at or above `fromXid` that wrote to the log; `null` if none did. */
export async function readHighest(runQuery: RunQuery, fromXid: number): Promise<number | null> {
  const parts = [...CALL_TABLES, AUDIT_TABLE].map(
    (table) => `(SELECT xid FROM ${table} WHERE xid >= $1::text::xid8 ORDER BY xid DESC LIMIT 1)`,
  );
  const [row] = await runQuery<{ xid: string | null }>(
    `SELECT max(xid::text::bigint) AS xid FROM (${parts.join(" UNION ALL ")}) highest`,
    [String(fromXid)],
  );
  return row === undefined || row.xid === null ? null : Number(row.xid);
}

const LAST_OF_EARLIER_ERAS = `SELECT COALESCE(max("toXid"), 0) AS ends FROM seal WHERE era < $1`;

/**
 * Counts the rows that no seal covers, and finds the time of the oldest. A restored database numbers its transactions anew.
 * So a row counts as sealed by an earlier era if it has a number of one of that era's seals and is no later than the seal, or
 * a number that this database has not reached but an earlier era had.
 *
 * @param span only the rows of calls and events in this time
 */
export async function readUnsealed(
  runQuery: RunQuery,
  last: Pick<SignedSeal, "era" | "toXid"> | null,
  span: { readonly from: Date; readonly to: Date } | null = null,
): Promise<{ readonly count: number; readonly oldest: Date | null }> {
  const { next } = await readHorizon(runQuery);
  // Just restored: the numbers start anew, and the new era has no seal yet.
  const isRestored = last !== null && last.toXid > next;
  const era = (last?.era ?? 1) + (isRestored ? 1 : 0);
  // In the first era there are none, and the search would read all seals.
  const earlier = era === 1 ? [] : await runQuery<{ ends: string }>(LAST_OF_EARLIER_ERAS, [era]);
  const from = isRestored ? 0 : (last?.toXid ?? 0);
  const auditFrom = await readAuditEnd(runQuery, era);
  const afterEarlierEras = Math.max(from, next, Number(earlier[0]?.ends ?? 0));
  // The processes that write and seal may differ by a minute in their clocks.
  const select = (
    table: string,
    since: string,
    first: string,
    time: string,
  ) => `SELECT at FROM ${table} WHERE ((xid >= ${since}::text::xid8 AND xid < $2::text::xid8 AND NOT EXISTS (
    SELECT FROM seal WHERE era < $4 AND xid::text::bigint >= "${first}" AND xid::text::bigint < "toXid"
      AND ${table}.at <= seal.at + interval '1 minute')) OR xid >= $3::text::xid8)
    ${span === null ? "" : `AND "${time}" >= $6 AND "${time}" < $7`}`;
  const parts = [
    select("execution", "$1", "fromXid", "at"),
    select("execution_outcome", "$1", "fromXid", "callAt"),
    select(AUDIT_TABLE, "$5", "auditFrom", "at"),
  ];
  const [row] = await runQuery<{ count: number; oldest: Date | null }>(
    `SELECT count(*)::int AS count, min(at) AS oldest FROM (${parts.join(" UNION ALL ")}) rows`,
    [String(from), String(Math.max(from, next)), String(afterEarlierEras), era, String(auditFrom)].concat(
      span === null ? [] : [span.from.toISOString(), span.to.toISOString()],
    ),
  );
  return row ?? { count: 0, oldest: null };
}

/** A call id and the call's start. With both, a query reads one month's partition instead of all. */
export interface CallKey {
  readonly callId: string;
  readonly callAt: Date;
}

/** Reads the bodies of some calls. */
export async function readBodies(runQuery: RunQuery, calls: readonly CallKey[]): Promise<StoredBody[]> {
  return runQuery<StoredBody>(
    `SELECT body."callId", part, text, digest, sha256, bytes, key
     FROM unnest($1::text[], $2::timestamptz[]) AS call (id, at)
     JOIN execution_body body ON body."callId" = call.id AND body."callAt" = call.at`,
    [calls.map(({ callId }) => callId), calls.map(({ callAt }) => callAt)],
  );
}

/** The calls among `callIds` whose bodies a person erased. */
export async function readErased(runQuery: RunQuery, callIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await runQuery<{ target: string }>(
    `SELECT DISTINCT target FROM audit_event WHERE target = ANY($1::text[]) AND action = 'executions.erased'`,
    [callIds],
  );
  return new Set(rows.map(({ target }) => target));
}

/** The number of rows that all seals together claim to cover. */
export async function countSealed(runQuery: RunQuery): Promise<number> {
  const [row] = await runQuery<{ rows: string }>("SELECT COALESCE(sum(count), 0) AS rows FROM seal");
  return Number(row?.rows ?? 0);
}

/** The newest seal; `null` before the first one. */
export async function readLastSeal(runQuery: RunQuery): Promise<SignedSeal | null> {
  return (await readSealsBy(runQuery, `ORDER BY number DESC LIMIT 1`, []))[0] ?? null;
}

/** The next seals after a number, in order. */
export async function readSealsAfter(runQuery: RunQuery, number: number, most: number): Promise<SignedSeal[]> {
  return readSealsBy(runQuery, `WHERE number > $1 ORDER BY number LIMIT $2`, [number, most]);
}

/** The first `most` seals after number `after` that cover calls or audit events of these transactions, in order. */
export async function readSealsCovering(
  runQuery: RunQuery,
  { fromXid, toXid }: XidRange,
  { after, most }: { readonly after: number | null; readonly most: number | null } = { after: null, most: null },
): Promise<SignedSeal[]> {
  const clause = `WHERE "toXid" > $1 AND least("fromXid", "auditFrom") < $2 AND ($3::int IS NULL OR number > $3) ORDER BY number LIMIT $4`;
  return readSealsBy(runQuery, clause, [fromXid, toXid, after, most]);
}

/** The seals of other eras that cover calls or audit events of these transactions. */
export async function readSealsOfOtherEras(
  runQuery: RunQuery,
  { fromXid, toXid }: XidRange,
  era: number,
): Promise<SignedSeal[]> {
  const clause = `WHERE "toXid" > $1 AND least("fromXid", "auditFrom") < $2 AND era <> $3 ORDER BY number`;
  return readSealsBy(runQuery, clause, [fromXid, toXid, era]);
}

/** The first transaction of an era whose audit events no seal covers. Older versions sealed calls but no audit events. */
export async function readAuditEnd(runQuery: RunQuery, era: number): Promise<number> {
  const clause = `WHERE "auditFrom" IS NOT NULL ORDER BY number DESC LIMIT 1`;
  const [last] = await readSealsBy(runQuery, clause, []);
  return last?.era === era ? last.toXid : 0;
}

async function readSealsBy(runQuery: RunQuery, clause: string, values: readonly unknown[]): Promise<SignedSeal[]> {
  type Xids = { fromXid: string; toXid: string; auditFrom: string | null };
  type Stored = Omit<SignedSeal, "at" | keyof Xids> & Xids & { at: Date };
  const rows = await runQuery<Stored>(`SELECT ${SEAL} FROM seal ${clause}`, values);
  return rows.map(({ auditFrom, ...row }) => ({
    ...row,
    at: row.at.toISOString(),
    fromXid: Number(row.fromXid),
    toXid: Number(row.toXid),
    ...(auditFrom !== null && { auditFrom: Number(auditFrom) }),
  }));
}

/** The leaves of some seals, by number. Deleted leaves are missing. */
export async function readLeaves(
  runQuery: RunQuery,
  seals: readonly Pick<SignedSeal, "number">[],
): Promise<ReadonlyMap<number, SealLeaves>> {
  const rows = await runQuery<SealLeaves & { number: number }>(
    `SELECT number, array_to_string(records, E'\\n', '') AS records, hashes FROM seal_leaves WHERE number = ANY($1::int[])`,
    [seals.map(({ number }) => number)],
  );
  return new Map(rows.map(({ number, ...leaves }) => [number, leaves]));
}

/** Adds a seal and its leaves. @throws when the number is in use */
export async function addSeal(runQuery: RunQuery, seal: SignedSeal, { records, hashes }: SealLeaves): Promise<void> {
  const { number, at, era, fromXid, toXid, auditFrom = null, count, root, previous, keyId, signature } = seal;
  await runQuery(
    `WITH leaves AS (INSERT INTO seal_leaves (number, records, hashes) VALUES ($1, string_to_array($12, E'\\n'), $13))
     INSERT INTO seal (${SEAL}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [number, at, era, fromXid, toXid, auditFrom, count, root, previous, keyId, signature, records, Buffer.from(hashes)],
  );
}

/** The keys that were in use before a rotation. */
export async function readVouchedKeys(runQuery: RunQuery): Promise<VouchedKey[]> {
  return runQuery<VouchedKey>(`SELECT "keyId", x, "vouchedBy", signature FROM seal_key`);
}

/** Adds a key. The same row stays as it is. */
export async function addVouchedKey(runQuery: RunQuery, { keyId, x, vouchedBy, signature }: VouchedKey): Promise<void> {
  await runQuery(
    `INSERT INTO seal_key ("keyId", at, x, "vouchedBy", signature) VALUES ($1, now(), $2, $3, $4) ON CONFLICT DO NOTHING`,
    [keyId, x, vouchedBy, signature],
  );
}

/** What stops the app from changing the log: its database role, or triggers (prisma/migrations). */
export async function readProtection(runQuery: RunQuery): Promise<"role" | "triggers"> {
  const [row] = await runQuery<{ may: boolean }>(
    "SELECT has_table_privilege('execution', 'UPDATE, DELETE, TRUNCATE, TRIGGER') AS may",
  );
  return row?.may === false ? "role" : "triggers";
}

/** Whether a session of this process could change the log after `RESET ROLE`. */
export async function mayUndoRole(runQuery: RunQuery): Promise<boolean> {
  const [row] = await runQuery<{ may: boolean }>(
    "SELECT has_table_privilege(session_user, 'execution', 'UPDATE, DELETE, TRUNCATE, TRIGGER') AS may",
  );
  return row?.may !== false;
}

/** Creates the log's partitions of this month and the next two; false when one could not be created now. */
export async function prepareMonths(runQuery: RunQuery): Promise<boolean> {
  const [row] = await runQuery<{ made: boolean }>("SELECT prepare_log_months() AS made");
  return row?.made ?? false;
}
