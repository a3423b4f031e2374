import { modelOf, tables, toStored, type Connection } from "@/lib/store/config/tables";
import type { Kind, Stored } from "@/lib/store/config/values";

/** Rows per statement. The client converts each answer in one blocking step, and tools may be large. */
const PART = 100;

/** Reads every row of a kind that matches `where`, in the order of ids. Blocks the event loop only briefly. */
export async function readInParts<K extends Kind>(
  connection: Connection,
  kind: K,
  where: object = {},
): Promise<ReadonlyMap<string, Stored<K>>> {
  const { id } = tables[kind];
  const rows = new Map<string, Stored<K>>();
  for (let last: string | null = null; ;) {
    const records: Record<string, unknown>[] = await modelOf(connection, kind).findMany({
      where: { AND: [where, last === null ? {} : { [id]: { gt: last } }] },
      orderBy: { [id]: "asc" },
      take: PART,
    });
    for (const record of records) rows.set((last = String(record[id])), toStored(kind, record));
    if (records.length < PART) return rows;
  }
}
