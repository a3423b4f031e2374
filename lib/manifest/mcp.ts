import type { JsonObject } from "@/lib/access/configuration";
import type { ManifestEntry } from "@/lib/manifest/entries";
import { toldDescription } from "@/lib/manifest/told-description";

/** A tool of the Model Context Protocol (2025-11-25, `tools/list`). */
export interface McpTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: JsonObject;
}

/** As `tools/list` answers it. The protocol wants schemas of type object. */
export function toMcp(entry: ManifestEntry): McpTool {
  const { tool, exposedName } = entry.resolved;
  const annotations = { ...tool.annotations } as JsonObject;
  return {
    name: exposedName,
    ...(tool.displayName === null ? {} : { title: tool.displayName }),
    description: toldDescription(entry),
    inputSchema: { ...tool.inputSchema, type: "object" },
    ...(tool.outputSchema?.["type"] === "object" ? { outputSchema: tool.outputSchema } : {}),
    ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
  };
}
