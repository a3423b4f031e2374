import type { ToolInput } from "@/lib/resources/tool";
import { toUpstreamDefinition, type AcceptedDefinition } from "@/lib/sources/drift/upstream-definition";
import type { Stored } from "@/lib/store/save/stored";
import { readUpstreamDefinitions, type Definitions } from "@/lib/store/sources/upstream-definitions";

/**
 * The sources' last accepted definitions of these tools, by tool id. Within a save, pass `stored`: waiting requests may
 * use all other connections.
 */
export async function readDefinitions(
  tools: readonly string[],
  stored?: Stored,
): Promise<ReadonlyMap<string, AcceptedDefinition>> {
  const definitions = await (stored?.upstreamDefinitions(tools) ?? readUpstreamDefinitions(tools));
  return definitions as unknown as ReadonlyMap<string, AcceptedDefinition>;
}

/** What the source says about accepted tools, for the save that accepts them. */
export function definitionsOf(tools: readonly ToolInput[]): Definitions {
  return new Map(tools.map((tool) => [tool.id, toUpstreamDefinition(tool)]));
}

/** The last accepted definitions of tools that their source no longer has, for the save that deprecates the tools. */
export function goneDefinitionsOf(
  tools: readonly ToolInput[],
  last: ReadonlyMap<string, AcceptedDefinition>,
): Definitions {
  return new Map(tools.map((tool) => [tool.id, { ...(last.get(tool.id) ?? toUpstreamDefinition(tool)), gone: true }]));
}
