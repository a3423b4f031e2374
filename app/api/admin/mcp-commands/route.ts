import { user } from "@/lib/auth/people/user";
import { env } from "@/lib/env";
import { route } from "@/lib/http/route";

// GET /api/admin/mcp-commands: what sources of the kind `mcp` may start on this machine.
export const GET = route({
  authenticate: user("configuration:read"),
  respond: async () => ({ items: env.MCP_STDIO_ALLOW }),
});
