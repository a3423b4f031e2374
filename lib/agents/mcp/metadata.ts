import { metadataAddress } from "@/lib/agents/mcp/own-address";
import { publicOrigin } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { supportedScopes } from "@/lib/agents/oauth/scopes";
import { ownAudience } from "@/lib/auth/agents/own-issuer";
import { route } from "@/lib/http/route";
import type { Snapshot } from "@/lib/store/snapshot/build";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";

/**
 * GET /.well-known/oauth-protected-resource, also with the suffix `/mcp`: the issuers whose tokens `/mcp` accepts (RFC 9728).
 * Public, because a client reads it before it has a token. 404 if no issuer is configured.
 */
export const mcpMetadata = route({
  authenticate: async () => null,
  respond: async () => {
    const snapshot = await currentSnapshot();
    const servers = authorizationServers(snapshot);
    // RFC 9728 describes only resources with an authorization server. API keys are outside OAuth.
    if (servers.length === 0) throw new AppError("not_found", "No authorization server is configured.");
    const document = {
      resource: ownAudience(),
      resource_name: "Quartermaster",
      authorization_servers: servers,
      scopes_supported: supportedScopes(snapshot),
      bearer_methods_supported: ["header"],
    };
    return Response.json(document, { headers: { "access-control-allow-origin": "*" } });
  },
});

/** The issuers whose tokens `/mcp` accepts, our own first: many clients try only the first one. */
function authorizationServers({ issuers, signIn }: Snapshot): string[] {
  const foreign = [...issuers.values()].filter(({ enabled }) => enabled).map(({ issuer }) => issuer);
  return signIn === null ? foreign : [publicOrigin(), ...foreign];
}

/** The `WWW-Authenticate` parameter with the metadata's address; empty without issuers, or when they cannot be read. */
export async function metadataPointer(): Promise<string> {
  const servers = await currentSnapshot().then(authorizationServers, () => []);
  return servers.length === 0 ? "" : `, resource_metadata="${metadataAddress()}"`;
}
