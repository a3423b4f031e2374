import { z } from "zod";

/** `GET /api/admin/mcp-commands`: the commands that the operator allows, as exact texts (MCP_STDIO_ALLOW). */
export const mcpCommands = z.object({ items: z.array(z.string()) });

/** Commands that sources may start. */
export type McpCommands = z.output<typeof mcpCommands>;
