import type { SourceRow } from "@/lib/resources/source";
import type { ToolInput } from "@/lib/resources/tool";
import { bulkDb } from "@/lib/store/db/database";
import { readInParts } from "@/lib/store/db/read-in-parts";
import { toStored, toValue } from "@/lib/store/config/tables";

/** A source, or `null`. */
export async function findSource(name: string): Promise<SourceRow | null> {
  const record = await bulkDb().source.findUnique({ where: { name } });
  return record === null ? null : (toStored("sources", record) as SourceRow);
}

/** Every tool of a source by id, as API input. */
export async function readSourceTools(source: string): Promise<ReadonlyMap<string, ToolInput>> {
  const rows = await readInParts(bulkDb(), "tools", { source });
  return new Map([...rows].map(([id, row]) => [id, toValue("tools", row)]));
}

/** Reads tools by id, as API input. Unknown ids are left out. */
export async function readTools(ids: readonly string[]): Promise<ReadonlyMap<string, ToolInput>> {
  const records = await bulkDb().tool.findMany({ where: { id: { in: [...ids] } } });
  return new Map(records.map((record) => [record.id, toValue("tools", toStored("tools", record))]));
}
