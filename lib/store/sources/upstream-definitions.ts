import type { JsonObject } from "@/lib/access/model/configuration";
import { bulkDb } from "@/lib/store/db/database";
import type { Connection } from "@/lib/store/config/tables";
import { translated } from "@/lib/store/db/translate";

/** Definitions a statement: an import has megabytes of them. */
const PART = 100;

/** What sources said about these tools when they were last taken over, by tool id. */
export async function readUpstreamDefinitions(
  tools: readonly string[],
  connection: Connection = bulkDb(),
): Promise<ReadonlyMap<string, JsonObject>> {
  const definitions = new Map<string, JsonObject>();
  for (const part of partsOf(tools)) {
    const rows = await translated(() => connection.upstreamDefinition.findMany({ where: { tool: { in: part } } }));
    for (const { tool, definition } of rows) definitions.set(tool, definition as unknown as JsonObject);
  }
  return definitions;
}

/** Remembers what sources say about tools that were just taken over; earlier words about them go. */
export async function saveUpstreamDefinitions(
  definitions: ReadonlyMap<string, object>,
  connection: Connection = bulkDb(),
): Promise<void> {
  for (const part of partsOf([...definitions])) {
    // The client would walk through them value by value: as a text they keep nobody waiting.
    const text = JSON.stringify(Object.fromEntries(part));
    await translated(
      () => connection.$executeRaw`
        INSERT INTO upstream_definition (tool, definition)
        SELECT key, value::jsonb FROM json_each(${text}::json) ORDER BY key
        ON CONFLICT (tool) DO UPDATE SET definition = EXCLUDED.definition`,
    );
  }
}

function partsOf<T>(all: readonly T[]): T[][] {
  const count = Math.ceil(all.length / PART);
  return Array.from({ length: count }, (_, part) => all.slice(part * PART, (part + 1) * PART));
}
