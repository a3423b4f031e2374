import type { JsonObject } from "@/lib/access/configuration";
import { bulkDb } from "@/lib/store/database";
import { translated } from "@/lib/store/translate";

/** What sources said about these tools when they were last taken over, by tool id. */
export async function readUpstreamDefinitions(tools: readonly string[]): Promise<ReadonlyMap<string, JsonObject>> {
  const rows = await translated(() => bulkDb().upstreamDefinition.findMany({ where: { tool: { in: [...tools] } } }));
  return new Map(rows.map((row) => [row.tool, row.definition as unknown as JsonObject]));
}

/** Remembers what sources say about tools that were just taken over; earlier words about them go. */
export async function saveUpstreamDefinitions(definitions: ReadonlyMap<string, object>): Promise<void> {
  if (definitions.size === 0) return;
  // Megabytes at an import, which the client would walk through value by value: as one text they keep nobody waiting.
  const text = JSON.stringify(Object.fromEntries(definitions));
  await translated(
    () => bulkDb().$executeRaw`
      INSERT INTO upstream_definition (tool, definition)
      SELECT key, value::jsonb FROM json_each(${text}::json) ORDER BY key
      ON CONFLICT (tool) DO UPDATE SET definition = EXCLUDED.definition`,
  );
}
