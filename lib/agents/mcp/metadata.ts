import { mcpAddress, metadataAddress } from "@/lib/agents/mcp/own-address";
import { AppError } from "@/lib/errors";
import { route } from "@/lib/http/route";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";

/**
 * GET /.well-known/oauth-protected-resource/mcp: the issuers whose tokens `/mcp` accepts (RFC 9728). Public, because a
 * client reads it before it has a token. 404 when no issuer is enabled.
 */
export const mcpMetadata = route({
  authenticate: async () => null,
  respond: async () => {
    const servers = await authorizationServers();
    // RFC 9728 describes only resources with an authorization server. API keys are outside OAuth.
    if (servers.length === 0) throw new AppError("not_found", "No authorization server is configured.");
    const document = {
      resource: mcpAddress(),
      resource_name: "Quartermaster",
      authorization_servers: servers,
      bearer_methods_supported: ["header"],
    };
    return Response.json(document, { headers: { "access-control-allow-origin": "*" } });
  },
});

/** The issuers whose tokens `/mcp` accepts. */
async function authorizationServers(): Promise<string[]> {
  const { issuers } = await currentSnapshot();
  return [...issuers.values()].filter(({ enabled }) => enabled).map(({ issuer }) => issuer);
}

/** The challenge parameter that names the metadata; empty without issuers, or when they cannot be read. */
export async function metadataPointer(): Promise<string> {
  const servers = await authorizationServers().catch(() => []);
  return servers.length === 0 ? "" : `, resource_metadata="${metadataAddress()}"`;
}
