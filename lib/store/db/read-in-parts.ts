import { modelOf, tables, toStored, type Connection } from "@/lib/store/config/tables";
import type { Kind, Stored } from "@/lib/store/config/values";

/** Rows a statement: what the client makes of one answer is made in one piece, and a tool may be large. */
const PART = 100;

/** Every row of a kind that `where` asks for, by id and in the order of ids; nobody waits long for it. */
export async function readInParts<K extends Kind>(
  connection: Connection,
  kind: K,
  where: object = {},
): Promise<ReadonlyMap<string, Stored<K>>> {
  const { id } = tables[kind];
  const rows = new Map<string, Stored<K>>();
  for (let last: string | null = null; ;) {
    const records: Record<string, unknown>[] = await modelOf(connection, kind).findMany({
      where: { ...where, ...(last !== null && { [id]: { gt: last } }) },
      orderBy: { [id]: "asc" },
      take: PART,
    });
    for (const record of records) rows.set((last = String(record[id])), toStored(kind, record));
    if (records.length < PART) return rows;
  }
}
