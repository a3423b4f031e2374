import type { ToolInput } from "@/lib/resources/tool";
import { toUpstreamDefinition, type UpstreamDefinition } from "@/lib/sources/drift/upstream-definition";
import type { Stored } from "@/lib/store/save/stored";
import { readUpstreamDefinitions, type Definitions } from "@/lib/store/sources/upstream-definitions";

/**
 * The sources' last accepted definitions of these tools, by tool id. Within a save, pass `stored`: waiting requests may
 * use all other connections.
 */
export async function readDefinitions(
  tools: readonly string[],
  stored?: Stored,
): Promise<ReadonlyMap<string, UpstreamDefinition>> {
  const definitions = await (stored?.upstreamDefinitions(tools) ?? readUpstreamDefinitions(tools));
  return definitions as unknown as ReadonlyMap<string, UpstreamDefinition>;
}

/** What the source says about accepted tools, for the save that accepts them. */
export function definitionsOf(tools: readonly ToolInput[]): Definitions {
  return new Map(tools.map((tool) => [tool.id, toUpstreamDefinition(tool)]));
}
