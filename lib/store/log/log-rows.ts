import { escapeIdentifier, escapeLiteral } from "pg";
import { APPROVAL_ANSWERS } from "@/lib/contracts/log/audit-actions";
import { byCodeUnit } from "@/lib/access/model/scalars";
import type { Tuple } from "@/lib/store/db/copy-out";
import type { RunQuery, Copy } from "@/lib/store/db/log-session";
import type { RecordKind, XidRange } from "@/lib/store/audit/seals";

// Reads rows of the sealed tables, in the form from which sealing, verification and archives compute their hashes.

/**
 * How Postgres sends a column: text to quote, finished JSON, microseconds since 2000, or a double. The app spells doubles
 * and times itself, so that the database's version and settings do not matter.
 */
export type ColumnForm = "text" | "json" | "time" | "double";

/** A column of a table of the log. */
interface LogColumn {
  readonly name: string;
  readonly form: ColumnForm;
}

/** One of the sealed tables. */
export interface LogTable {
  readonly kind: RecordKind;
  /** Every column, and `record` with the kind; sorted by name in the order of code units. */
  readonly columns: readonly LogColumn[];
  /** The SQL expression of each column. */
  readonly selected: readonly string[];
}

/** Rows of transactions `fromXid <= xid < toXid`, optionally only of calls that began in a time span; or one call's rows, and the answer to its approval. */
export type LogRange =
  (XidRange & { readonly begun?: { readonly from: Date; readonly to: Date } }) | { readonly callId: string };

/** A table's name, its columns for the call's id and start, and the part of its bodies. */
const TABLES = {
  execution: { name: "execution", id: "callId", part: "arguments", callAt: "at" },
  outcome: { name: "execution_outcome", id: "callId", part: "result", callAt: "callAt" },
  audit: { name: "audit_event", id: "id", part: null, callAt: "at" },
} as const satisfies Record<RecordKind, object>;

/** The column of a table that identifies its rows in a seal. */
export function idColumnOf(kind: RecordKind): string {
  return TABLES[kind].id;
}

/** The sealed tables: those of calls, and that of audit events. */
export interface LogTables {
  readonly calls: readonly LogTable[];
  readonly audit: LogTable;
}

/** The form and the SQL expression of a column by its Postgres type. Other types are sent as text. */
const FORMS: Readonly<Record<string, { readonly form: ColumnForm; readonly sql: (column: string) => string }>> = {
  text: { form: "text", sql: (column) => column },
  "text[]": { form: "json", sql: (column) => `array_to_json(${column})::text` },
  integer: { form: "json", sql: (column) => `${column}::text` },
  boolean: { form: "json", sql: (column) => `${column}::text` },
  "double precision": { form: "double", sql: (column) => column },
  "timestamp with time zone": { form: "time", sql: (column) => column },
};
const OTHER = { form: "text", sql: (column: string) => `${column}::text` } as const;

/** The sealed tables with their present columns. */
export async function readLogTables(runQuery: RunQuery): Promise<LogTables> {
  const kinds: readonly RecordKind[] = ["execution", "outcome", "audit"];
  const found = await runQuery<{ table: string; name: string; type: string }>(
    `SELECT attrelid::regclass::text AS table, attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
     WHERE attrelid = ANY($1::regclass[]) AND attnum > 0 AND NOT attisdropped`,
    [kinds.map((kind) => TABLES[kind].name)],
  );
  const tableOf = (kind: RecordKind): LogTable => {
    const columns = found
      .filter(({ table }) => table === TABLES[kind].name)
      .map(({ name, type }) => {
        const { form, sql } = FORMS[type] ?? OTHER;
        return { name, form, sql: sql(`record.${escapeIdentifier(name)}`) };
      });
    const record = { name: "record", form: "text", sql: `${escapeLiteral(kind)}::text` } as const;
    const sorted = [...columns, record].toSorted((a, b) => byCodeUnit(a.name, b.name));
    return {
      kind,
      columns: sorted.map(({ name, form }) => ({ name, form })),
      selected: sorted.map(({ sql }) => sql),
    };
  };
  return { calls: [tableOf("execution"), tableOf("outcome")], audit: tableOf("audit") };
}

/**
 * Reads rows of one table, unordered. With `bodies`, the body's text, digest, SHA-256, bytes (as text) and key follow each
 * row: the arguments of an intent, the result of an outcome; all null without a body.
 */
export async function copyLogRows(
  copy: Copy,
  { kind, selected }: LogTable,
  range: LogRange,
  { bodies }: { readonly bodies: boolean },
  each: (row: Tuple) => void,
): Promise<void> {
  const { name, part, callAt } = TABLES[kind];
  const where = "callId" in range && kind === "audit" ? answersOf(range.callId) : conditionOf(range, callAt);
  const withBodies = bodies && part !== null;
  const columns = withBodies ? [...selected, "body.*"] : selected;
  // LIMIT forces a lookup per row: for a small part of a large log Postgres would otherwise read all bodies.
  const join = `LEFT JOIN LATERAL (
    SELECT text, digest, sha256, bytes::text, key FROM execution_body
    WHERE "callId" = record."callId" AND "callAt" = record."${callAt}" AND part = '${part}' LIMIT 1) body ON true`;
  await copy(`SELECT ${columns.join(", ")} FROM ${name} record ${withBodies ? join : ""} WHERE ${where}`, each);
}

function answersOf(callId: string): string {
  return `record.target = ${escapeLiteral(callId)} AND record.action IN (${APPROVAL_ANSWERS.map(escapeLiteral).join(", ")})`;
}

function conditionOf(range: LogRange, callAt: string): string {
  if ("callId" in range) return `record."callId" = ${escapeLiteral(range.callId)}`;
  const { fromXid, toXid, begun } = range;
  const [first, end] = [fromXid, toXid].map((xid) => escapeLiteral(String(xid)));
  const byXid = `record.xid >= ${first}::xid8 AND record.xid < ${end}::xid8`;
  if (begun === undefined) return byXid;
  const [from, to] = [begun.from, begun.to].map((at) => escapeLiteral(at.toISOString()));
  return `${byXid} AND record."${callAt}" >= ${from}::timestamptz AND record."${callAt}" < ${to}::timestamptz`;
}
