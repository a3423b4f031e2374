import type { ToolInput } from "@/lib/resources/tool";
import { toUpstreamDefinition, type UpstreamDefinition } from "@/lib/sources/upstream-definition";
import { readUpstreamDefinitions, saveUpstreamDefinitions } from "@/lib/store/upstream-definitions";

/** What sources said about these tools when they were last taken over, by tool id. */
export async function readDefinitions(tools: readonly string[]): Promise<ReadonlyMap<string, UpstreamDefinition>> {
  return (await readUpstreamDefinitions(tools)) as unknown as ReadonlyMap<string, UpstreamDefinition>;
}

/** Remembers what the source says about tools that were just taken over. */
export async function saveDefinitions(tools: readonly ToolInput[]): Promise<void> {
  await saveUpstreamDefinitions(new Map(tools.map((tool) => [tool.id, toUpstreamDefinition(tool)])));
}
