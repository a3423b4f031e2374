import type { ToolInput } from "@/lib/resources/tool";
import { endpointKey } from "@/lib/sources/openapi/operation-names";

/** The key of an MCP tool, in the form of an endpoint's key: MCP tools have no method and path. */
export function mcpToolKey(name: string): string {
  return endpointKey({ method: "TOOL", path: name });
}

/** Identifies an imported tool at its source, whatever its name; `null` for a tool that a person wrote. */
export function upstreamKey({ run, method, path }: Pick<ToolInput, "run" | "method" | "path">): string | null {
  switch (run?.kind) {
    case "mcp":
      return mcpToolKey(run.tool);
    case "http":
    case "script":
    case undefined:
      return method === null || path === null ? null : endpointKey({ method, path });
  }
}
