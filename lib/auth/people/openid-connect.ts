import type { Profile } from "next-auth";
import type { OAuthConfig } from "next-auth/providers/oauth";
import { redeem, type OpenIdProvider, type Proven } from "@/lib/auth/openid/redeem";
import { ProviderUnavailable } from "@/lib/auth/openid/request-provider";
import { log } from "@/lib/telemetry/log";

/** next-auth's name for the provider, in addresses: `/api/auth/signin/openid`, `/api/auth/callback/openid`. */
export const OPENID = "openid";

/** The result of a return from the provider. A refusal is a value, because next-auth drops the reason of an error. */
export type OpenIdOutcome =
  ({ readonly kind: "proven" } & Proven) | { readonly kind: "unreachable" | "not_proven"; readonly subject: "" };

/**
 * The provider as a next-auth configuration. next-auth keeps `state`, `nonce` and the PKCE verifier in encrypted cookies
 * and builds the address. It makes no requests itself, because `token` and `userinfo` are ours (decision 9).
 */
export function openIdConnect(provider: OpenIdProvider): OAuthConfig<OpenIdOutcome> {
  const { settings, at } = provider;
  return {
    id: OPENID,
    name: settings.name,
    type: "oauth",
    issuer: settings.issuer,
    clientId: settings.clientId,
    clientSecret: settings.clientSecret,
    authorization: { url: at.authorization_endpoint, params: { scope: settings.scopes } },
    checks: ["state", "nonce", "pkce"],
    token: {
      url: at.token_endpoint,
      request: async ({ params, checks, provider: { callbackUrl } }) => {
        const { state, code_verifier: codeVerifier } = checks;
        const nonce = "nonce" in checks ? checks.nonce : undefined;
        if (state === undefined || nonce === undefined || codeVerifier === undefined)
          throw new Error("next-auth did not hand over what the sign-in started with.");
        const sent = { state, nonce, codeVerifier, redirectUri: callbackUrl };
        return { tokens: { outcome: await outcomeOf(provider, params, sent) } };
      },
    },
    userinfo: { request: ({ tokens }) => tokens["outcome"] as Profile },
    // next-auth requires an id. For an unproven person nothing uses it.
    profile: ({ kind, subject }) => ({ id: subject || kind }),
  };
}

async function outcomeOf(
  provider: OpenIdProvider,
  returned: Parameters<typeof redeem>[1],
  sent: Parameters<typeof redeem>[2],
): Promise<OpenIdOutcome> {
  try {
    return { kind: "proven", ...(await redeem(provider, returned, sent, Date.now())) };
  } catch (error) {
    log.warn({ err: error }, "An OpenID sign-in was refused.");
    return { kind: error instanceof ProviderUnavailable ? "unreachable" : "not_proven", subject: "" };
  }
}
