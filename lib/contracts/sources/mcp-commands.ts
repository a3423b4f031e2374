import { z } from "zod";

/** `GET /api/admin/mcp-commands`: commands that the operator allows, word for word (MCP_STDIO_ALLOW). */
export const mcpCommands = z.object({ items: z.array(z.string()) });

/** Commands that sources may start. */
export type McpCommands = z.output<typeof mcpCommands>;
