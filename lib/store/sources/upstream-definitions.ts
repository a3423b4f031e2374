import type { JsonObject } from "@/lib/access/model/configuration";
import { bulkDb } from "@/lib/store/db/database";
import type { Connection } from "@/lib/store/config/tables";
import { textBytes } from "@/lib/store/db/text-bytes";

/** What sources say about their tools, by tool id. */
export type Definitions = ReadonlyMap<string, object>;

/** Definitions per statement. An import has megabytes of them. */
const PART = 100;

/** The sources' own definitions of these tools at the last accepted import, by tool id. */
export async function readUpstreamDefinitions(
  tools: readonly string[],
  connection: Connection = bulkDb(),
): Promise<ReadonlyMap<string, JsonObject>> {
  const definitions = new Map<string, JsonObject>();
  for (const part of partsOf(tools)) {
    const rows = await connection.upstreamDefinition.findMany({ where: { tool: { in: part } } });
    for (const { tool, definition } of rows) definitions.set(tool, definition as unknown as JsonObject);
  }
  return definitions;
}

/** Stores the sources' own definitions of imported tools, and replaces earlier ones. */
export async function saveUpstreamDefinitions(
  definitions: Definitions,
  connection: Connection = bulkDb(),
): Promise<void> {
  for (const part of partsOf([...definitions])) {
    // As text: Prisma's client would walk through the definitions value by value and block the event loop.
    const text = textBytes(JSON.stringify(Object.fromEntries(part)));
    await connection.$executeRaw`
      INSERT INTO upstream_definition (tool, definition)
      SELECT key, value::jsonb FROM json_each(convert_from(${text}, 'UTF8')::json) ORDER BY key
      ON CONFLICT (tool) DO UPDATE SET definition = EXCLUDED.definition`;
  }
}

function partsOf<T>(all: readonly T[]): T[][] {
  const count = Math.ceil(all.length / PART);
  return Array.from({ length: count }, (_, part) => all.slice(part * PART, (part + 1) * PART));
}
