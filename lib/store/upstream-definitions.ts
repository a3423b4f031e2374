import type { JsonObject } from "@/lib/access/configuration";
import { bulkDb } from "@/lib/store/database";
import type { Prisma } from "@/lib/store/generated/client";
import { translated } from "@/lib/store/translate";

/** What sources said about these tools when they were last taken over, by tool id. */
export async function readUpstreamDefinitions(tools: readonly string[]): Promise<ReadonlyMap<string, JsonObject>> {
  const rows = await translated(() => bulkDb().upstreamDefinition.findMany({ where: { tool: { in: [...tools] } } }));
  return new Map(rows.map((row) => [row.tool, row.definition as unknown as JsonObject]));
}

/** Remembers what sources say about tools that were just taken over; earlier words about them go. */
export async function saveUpstreamDefinitions(definitions: ReadonlyMap<string, object>): Promise<void> {
  if (definitions.size === 0) return;
  const data = [...definitions].map(([tool, definition]) => ({
    tool,
    definition: definition as Prisma.InputJsonValue,
  }));
  const tools = [...definitions.keys()];
  await translated(() =>
    bulkDb().$transaction([
      bulkDb().upstreamDefinition.deleteMany({ where: { tool: { in: tools } } }),
      bulkDb().upstreamDefinition.createMany({ data }),
    ]),
  );
}
