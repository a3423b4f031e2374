import { mcpAddress, metadataAddress } from "@/lib/agents/mcp/own-address";
import { AppError } from "@/lib/errors";
import { route } from "@/lib/http/route";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";

/**
 * GET /.well-known/oauth-protected-resource/mcp: whose tokens open `/mcp` (RFC 9728). Public: a client asks before it has
 * any. 404 where no issuer is enabled.
 */
export const mcpMetadata = route({
  authenticate: async () => null,
  respond: async () => {
    const servers = await authorizationServers();
    // RFC 9728 has nothing to say of a resource that no authorization server opens: API keys are no OAuth matter.
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

/** The issuers whose tokens open `/mcp`. */
async function authorizationServers(): Promise<string[]> {
  const { issuers } = await currentSnapshot();
  return [...issuers.values()].filter(({ enabled }) => enabled).map(({ issuer }) => issuer);
}

/** The parameter of a challenge that points to the metadata; empty where there is none, or nobody knows. */
export async function metadataPointer(): Promise<string> {
  const servers = await authorizationServers().catch(() => []);
  return servers.length === 0 ? "" : `, resource_metadata="${metadataAddress()}"`;
}
