import type { SourceRow } from "@/lib/resources/source";
import type { ToolInput } from "@/lib/resources/tool";
import { bulkDb } from "@/lib/store/db/database";
import { readInParts } from "@/lib/store/db/read-in-parts";
import { toStored, toValue } from "@/lib/store/config/tables";
import type { Stored } from "@/lib/store/config/values";

/** A source, or `null`. */
export async function findSource(name: string): Promise<SourceRow | null> {
  const record = await bulkDb().source.findUnique({ where: { name } });
  return record === null ? null : (toStored("sources", record) as SourceRow);
}

/** Every tool of a source by id, as API input. */
export async function readSourceTools(source: string): Promise<ReadonlyMap<string, ToolInput>> {
  return toInputs(await readInParts(bulkDb(), "tools", { source }));
}

/** Reads tools by id, as API input. Unknown ids are left out. */
export async function readTools(ids: readonly string[]): Promise<ReadonlyMap<string, ToolInput>> {
  return toInputs(await readInParts(bulkDb(), "tools", { id: { in: [...ids] } }));
}

function toInputs(rows: ReadonlyMap<string, Stored<"tools">>): ReadonlyMap<string, ToolInput> {
  return new Map([...rows].map(([id, row]) => [id, toValue("tools", row)]));
}
