import { canonicalText } from "@/lib/access/model/canonical";
import { RowBytes } from "@/lib/audit/record/row-bytes";
import { LEAF, prefixedHash } from "@/lib/audit/seal/merkle";
import type { Tuple } from "@/lib/store/db/copy-out";
import { copyLogRows, idColumnOf, type ColumnForm, type LogRange, type LogTable } from "@/lib/store/log/log-rows";
import type { Copy } from "@/lib/store/db/log-session";
import type { RecordKind } from "@/lib/store/audit/seals";
import { commitmentOf } from "@/lib/store/log/executions-rows";

/** A row of a seal. */
export interface SealedRow {
  /** `execution call_…`, `outcome call_…` or `audit NUMBER`. */
  readonly name: string;
  /** The call; empty for an audit event. */
  readonly callId: string;
  /** The transaction that wrote it. */
  readonly xid: number;
  readonly leaf: Buffer;
}

/** A row with its sealed text. */
export interface TextRow extends SealedRow {
  /** The row's canonical JSON. */
  readonly text: string;
}

/** A row, and how its stored body compares with the row's commitment. */
export interface ReadRow extends SealedRow {
  readonly part: "arguments" | "result";
  /** `none`: the row commits to no body and has none; `added`: it has one all the same. */
  readonly body: "none" | "kept" | "edited" | "missing" | "added";
}

type CallKind = Exclude<RecordKind, "audit">;
const PARTS = { execution: "arguments", outcome: "result" } as const satisfies Record<CallKind, ReadRow["part"]>;

/**
 * Reads rows as canonical JSON: the kind of row and every column that is not null, sorted by name. Times are ISO 8601,
 * and JSON is Postgres's text. A column of a later version changes no older row, because it is null there.
 * Keeps nothing of a row except what `each` keeps. `sealed.text` is the row's JSON, which takes longer to read.
 */
export async function readSealedRows(
  copy: Copy,
  tables: readonly LogTable[],
  range: LogRange,
  each: (row: SealedRow, sealed: Pick<TextRow, "text">) => void,
): Promise<void> {
  for (const table of tables) {
    const reader = new RowReader(table);
    await copyLogRows(copy, table, range, { bodies: false }, (tuple) => each(reader.read(tuple), reader));
  }
}

/** Reads rows of calls and compares each row's body. Keeps no body in memory, however large. */
export async function readRowsAndBodies(
  copy: Copy,
  tables: readonly LogTable[],
  range: LogRange,
  each: (row: ReadRow) => void,
): Promise<void> {
  for (const table of tables) {
    if (table.kind === "audit") continue;
    const reader = new RowReader(table);
    const part = PARTS[table.kind];
    const commitment = indexIn(table, `${part}Commitment`);
    await copyLogRows(copy, table, range, { bodies: true }, (tuple) => {
      const { name, callId, xid, leaf } = reader.read(tuple);
      // Copied by name: a spread takes longer than reading the row.
      each({ name, callId, xid, leaf, part, body: bodyOf(tuple, tuple.text(commitment), table.columns.length) });
    });
  }
}

/** The order of leaves: by name, then by hash when a name occurs twice. */
export function byName(a: Pick<SealedRow, "name" | "leaf">, b: Pick<SealedRow, "name" | "leaf">): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : Buffer.compare(a.leaf, b.leaf);
}

/** Reads the rows of one table. The only place that writes a row's canonical JSON. */
class RowReader {
  readonly #kind: RecordKind;
  readonly #id: number;
  readonly #xid: number;
  /** Built once, not once per row. */
  readonly #members: readonly { readonly key: Buffer; readonly write: WriteColumn }[];
  /** The last row's JSON after the byte that its leaf's hash begins with. */
  readonly #row = new RowBytes();

  constructor(table: LogTable) {
    this.#kind = table.kind;
    [this.#id, this.#xid] = [indexIn(table, idColumnOf(table.kind)), indexIn(table, "xid")];
    this.#members = table.columns.map(({ name, form }) => ({
      key: Buffer.from(`,${canonicalText(name)}:`),
      write: WRITE[form],
    }));
  }

  read(tuple: Tuple): SealedRow {
    this.#write(tuple);
    const named = tuple.text(this.#id) ?? "";
    return {
      name: `${this.#kind} ${named}`,
      callId: this.#kind === "audit" ? "" : named,
      xid: Number(tuple.text(this.#xid)),
      leaf: prefixedHash(this.#row.view),
    };
  }

  /** The text of the row that was read last. */
  get text(): string {
    return this.#row.view.toString("utf8", LEAF.length);
  }

  #write(tuple: Tuple): void {
    const row = this.#row;
    row.clear();
    row.add(LEAF);
    row.ascii("{");
    let isFirst = true;
    for (const [column, { key, write }] of this.#members.entries()) {
      if (tuple.isNull(column)) continue;
      // The key begins with the comma before it.
      row.add(key, isFirst ? 1 : 0);
      write(row, tuple, column);
      isFirst = false;
    }
    row.ascii("}");
  }
}

type WriteColumn = (row: RowBytes, tuple: Tuple, column: number) => void;

/** Writes a column as canonical JSON, by its form. */
const WRITE: Readonly<Record<ColumnForm, WriteColumn>> = {
  text: (row, tuple, column) => row.quoted(tuple, column),
  json: (row, tuple, column) => row.column(tuple, column),
  double: (row, tuple, column) => row.ascii(String(tuple.double(column))),
  time: (row, tuple, column) => row.ascii(timeText(tuple.microseconds(column))),
};

/** Milliseconds from 1970 to Postgres's epoch, the year 2000. */
const POSTGRES_EPOCH_MS = 946_684_800_000;
/** The largest time value of a `Date` (ECMA-262, 21.4.1.1): the year 275760. Postgres reaches the year 294276. */
const MAX_DATE_MS = 8.64e15;
/** Postgres's value for an infinite time; its negative for minus infinity. */
const INFINITY = 2n ** 63n - 1n;
const MINUS_INFINITY = -(2n ** 63n);

/**
 * A time in the log's milliseconds. A time between two milliseconds keeps its microseconds; one that no `Date` reaches is a
 * number, too.
 */
function timeText(microseconds: bigint): string {
  if (microseconds === INFINITY) return String(Number.POSITIVE_INFINITY);
  if (microseconds === MINUS_INFINITY) return String(Number.NEGATIVE_INFINITY);
  const milliseconds = Number(microseconds) / 1000 + POSTGRES_EPOCH_MS;
  if (!Number.isInteger(milliseconds) || Math.abs(milliseconds) > MAX_DATE_MS)
    return canonicalText(`${milliseconds} ms`);
  return `"${new Date(milliseconds).toISOString()}"`;
}

/** The columns after the row's own: `BODY_COLUMNS`. */
function bodyOf(tuple: Tuple, commitment: string | null, first: number): ReadRow["body"] {
  const text = tuple.text(first);
  if (commitment === null) return text === null ? "none" : "added";
  const digest = tuple.text(first + 1);
  if (text === null || digest === null) return "missing";
  const [sha256, bytes, key] = [tuple.text(first + 2), tuple.text(first + 3), tuple.view(first + 4)];
  const cut = sha256 === null && bytes === null ? null : { sha256: sha256 ?? "", bytes: Number(bytes ?? -1) };
  return key !== null && commitmentOf({ text, digest, cut }, key) === commitment ? "kept" : "edited";
}

function indexIn({ kind, columns }: LogTable, name: string): number {
  const index = columns.findIndex((column) => column.name === name);
  if (index === -1) throw new Error(`the log's ${kind} has no column ${name}`);
  return index;
}
