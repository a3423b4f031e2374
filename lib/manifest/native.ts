import type { ManifestEntry } from "@/lib/manifest/entries";
import type { ToolEntry } from "@/lib/contracts/agents/agent-api";

/** The native format (docs/reference/http.md#agent-api): everything that an agent may know of a tool. */
export function toNative({ resolved, description, conditions }: ManifestEntry): ToolEntry {
  const { tool, exposedName, groups } = resolved;
  return {
    tool_id: tool.id,
    name: exposedName,
    description,
    input_schema: tool.inputSchema as ToolEntry["input_schema"],
    ...(tool.outputSchema === null ? {} : { output_schema: tool.outputSchema as ToolEntry["input_schema"] }),
    source_id: tool.source,
    source_path: tool.path,
    tags: [...tool.tags],
    version: tool.version,
    annotations: { ...tool.annotations } as ToolEntry["annotations"],
    groups: [...groups],
    ...(conditions.length === 0 ? {} : { conditions: [...conditions] }),
  };
}
