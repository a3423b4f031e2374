import { leafHash } from "@/lib/audit/merkle";
import { canonicalText } from "@/lib/access/canonical";
import type { LogRow } from "@/lib/store/seals";

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
 * A row's canonical JSON: every column that is not null, sorted by name, and which kind of row it is. Times are ISO 8601,
 * JSON is the text that Postgres keeps. A column that a later version adds changes no row of before, for it is null there.
 */
export function toSealedRow({ kind, columns }: LogRow): SealedRow {
  const members: Record<string, unknown> = { record: kind };
  for (const [column, value] of Object.entries(columns)) {
    if (value === null || value === undefined) continue;
    members[column] = value instanceof Date ? value.toISOString() : value;
  }
  const text = canonicalText(members as Parameters<typeof canonicalText>[0]);
  return { name: `${kind} ${columns.callId}`, callId: columns.callId, text, leaf: leafHash(text) };
}

/** The order of leaves: by name, and then by hash, should one name be there twice. */
export function byName(a: Pick<SealedRow, "name" | "leaf">, b: Pick<SealedRow, "name" | "leaf">): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : Buffer.compare(a.leaf, b.leaf);
}
