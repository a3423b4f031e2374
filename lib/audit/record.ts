import { canonicalText } from "@/lib/access/canonical";
import { byCodeUnit } from "@/lib/access/scalars";
import { leafHash } from "@/lib/audit/merkle";
import type { LogRow, RecordKind } from "@/lib/store/seals";

/** A row as it is sealed. */
export interface SealedRow {
  /** `execution call_…` or `outcome call_…`. */
  readonly name: string;
  readonly callId: string;
  /** Its canonical JSON. */
  readonly text: string;
  readonly leaf: Buffer;
}

/**
 * Rows as canonical JSON: every column that is not null, sorted by name, and which kind of row it is. Times are ISO 8601,
 * JSON is the text that Postgres keeps. A column that a later version adds changes no row of before, for it is null there.
 */
export function toSealedRows(rows: readonly LogRow[]): SealedRow[] {
  // Rows of one kind, read by one statement, have the same columns: their names are sorted once.
  const names = new Map<RecordKind, readonly string[]>();
  return rows.map((row) => {
    const known = names.get(row.kind) ?? [...Object.keys(row.columns), "record"].toSorted(byCodeUnit);
    names.set(row.kind, known);
    return toSealedRow(row, known);
  });
}

function toSealedRow({ kind, columns }: LogRow, names: readonly string[]): SealedRow {
  const members: string[] = [];
  for (const name of names) {
    const value = name === "record" ? kind : columns[name];
    if (value === null || value === undefined) continue;
    members.push(`"${name}":${canonicalText(value instanceof Date ? value.toISOString() : value)}`);
  }
  const text = `{${members.join(",")}}`;
  return { name: `${kind} ${columns.callId}`, callId: columns.callId, text, leaf: leafHash(text) };
}

/** The order of leaves: by name, and then by hash, should one name be there twice. */
export function byName(a: Pick<SealedRow, "name" | "leaf">, b: Pick<SealedRow, "name" | "leaf">): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : Buffer.compare(a.leaf, b.leaf);
}
