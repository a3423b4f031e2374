import { adminRoute } from "@/app/api/admin/admin-route";
import { IMPORT_OPERATIONS } from "@/lib/contracts/operations/import-operations";
import { env } from "@/lib/env";

export const GET = adminRoute(IMPORT_OPERATIONS.list_mcp_commands, async () => ({ items: env.MCP_STDIO_ALLOW }));
