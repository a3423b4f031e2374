import { escapeIdentifier, escapeLiteral } from "pg";
import { byCodeUnit } from "@/lib/access/model/scalars";
import type { Tuple } from "@/lib/store/db/copy-out";
import type { Ask, Copy } from "@/lib/store/db/log-session";
import type { RecordKind, XidRange } from "@/lib/store/audit/seals";

/**
 * What Postgres sends of a column: text that is to be quoted, text that is JSON as it stands, microseconds since 2000, or
 * a double. Doubles and times are spelt in the same way whatever the database's version and settings.
 */
export type ColumnForm = "text" | "json" | "time" | "double";

/** A column of a table of the log. */
export interface LogColumn {
  readonly name: string;
  readonly form: ColumnForm;
}

/** One of the tables that are sealed. */
export interface LogTable {
  readonly kind: RecordKind;
  /** Every column there is, and `record`, which says the kind; by name, in the order of code units. */
  readonly columns: readonly LogColumn[];
  /** What is sent of each column. */
  readonly selected: readonly string[];
}

/** Rows by their transactions, `fromXid <= xid < toXid`, all or of the calls that began in a time; or of one call. */
export type LogRange =
  (XidRange & { readonly begun?: { readonly from: Date; readonly to: Date } }) | { readonly callId: string };

/** A table's name, its columns for the id and the time of the call, and which body goes with its rows. */
const TABLES = {
  execution: { name: "execution", id: "callId", part: "arguments", callAt: "at" },
  outcome: { name: "execution_outcome", id: "callId", part: "result", callAt: "callAt" },
  audit: { name: "audit_event", id: "id", part: null, callAt: "at" },
} as const satisfies Record<RecordKind, object>;

/** The column of a table whose value names its row in a seal. */
export function idColumnOf(kind: RecordKind): string {
  return TABLES[kind].id;
}

/** The sealed tables: those of calls, and the one of audit events. */
export interface LogTables {
  readonly calls: readonly LogTable[];
  readonly audit: LogTable;
}

/** What is sent of a column, and its form, by the type that Postgres names; of others, their text. */
const FORMS: Readonly<Record<string, { readonly form: ColumnForm; readonly sql: (column: string) => string }>> = {
  text: { form: "text", sql: (column) => column },
  "text[]": { form: "json", sql: (column) => `array_to_json(${column})::text` },
  integer: { form: "json", sql: (column) => `${column}::text` },
  boolean: { form: "json", sql: (column) => `${column}::text` },
  "double precision": { form: "double", sql: (column) => column },
  "timestamp with time zone": { form: "time", sql: (column) => column },
};
const OTHER = { form: "text", sql: (column: string) => `${column}::text` } as const;

/** The sealed tables as they are now. */
export async function readLogTables(ask: Ask): Promise<LogTables> {
  const kinds: readonly RecordKind[] = ["execution", "outcome", "audit"];
  const found = await ask<{ table: string; name: string; type: string }>(
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
 * Reads rows of one table, in no order. With `bodies`, each is followed by its body's text, digest, SHA-256, bytes (as
 * text) and key: the arguments of an intent, the result of an outcome; all of them null where there is none.
 */
export async function copyLogRows(
  copy: Copy,
  { kind, selected }: LogTable,
  range: LogRange,
  { bodies }: { readonly bodies: boolean },
  each: (row: Tuple) => void,
): Promise<void> {
  const { name, part, callAt } = TABLES[kind];
  const withBodies = bodies && part !== null;
  const columns = withBodies ? [...selected, "body.*"] : selected;
  // Looked up one by one, by LIMIT: for a small part of a large log Postgres would read the bodies of all of it.
  const join = `LEFT JOIN LATERAL (
    SELECT text, digest, sha256, bytes::text, key FROM execution_body
    WHERE "callId" = record."callId" AND "callAt" = record."${callAt}" AND part = '${part}' LIMIT 1) body ON true`;
  await copy(
    `SELECT ${columns.join(", ")} FROM ${name} record ${withBodies ? join : ""} WHERE ${conditionOf(range, callAt)}`,
    each,
  );
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
