import { supportedScopes } from "@/lib/agents/oauth/scopes";
import { accessTokenSeconds, ownAudience } from "@/lib/auth/agents/own-issuer";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";

/** What oidc-provider needs to know about our one resource: scopes, audience and form of its tokens. */
export async function resourceServer(): Promise<object> {
  return {
    scope: supportedScopes(await currentSnapshot()).join(" "),
    audience: ownAudience(),
    accessTokenTTL: accessTokenSeconds(),
    accessTokenFormat: "jwt",
    jwt: { sign: { alg: "ES256" } },
  };
}
