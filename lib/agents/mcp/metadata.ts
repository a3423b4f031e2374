import { mcpAddress } from "@/lib/agents/mcp/own-address";
import { route } from "@/lib/http/route";
import { currentSnapshot } from "@/lib/store/snapshot";

/**
 * GET /.well-known/oauth-protected-resource/mcp: whose tokens open `/mcp` (RFC 9728). Public: a client asks before it has
 * any. API keys open it too; their form is not an OAuth matter.
 */
export const mcpMetadata = route({
  authenticate: async () => null,
  respond: async () => {
    const { issuers } = await currentSnapshot();
    const document = {
      resource: mcpAddress(),
      resource_name: "Quartermaster",
      authorization_servers: [...issuers.values()].filter(({ enabled }) => enabled).map(({ issuer }) => issuer),
      bearer_methods_supported: ["header"],
    };
    return Response.json(document, { headers: { "access-control-allow-origin": "*" } });
  },
});
