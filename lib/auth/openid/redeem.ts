import {
  authorizationCodeGrantRequest,
  ClientSecretBasic,
  ClientSecretPost,
  processAuthorizationCodeResponse,
  processRefreshTokenResponse,
  processUserInfoResponse,
  refreshTokenGrantRequest,
  ResponseBodyError,
  userInfoRequest,
  validateAuthResponse,
  type TokenEndpointResponse,
} from "oauth4webapi";
import type { JsonObject } from "@/lib/access/model/configuration";
import { readClaim } from "@/lib/access/model/claims";
import type { IssuerKeys } from "@/lib/auth/agents/issuer-keys";
import type { Discovered } from "@/lib/auth/openid/discovery";
import { verifyIdToken } from "@/lib/auth/openid/id-token";
import { throughOutbound } from "@/lib/auth/openid/request-provider";
import type { OpenIdSettings } from "@/lib/auth/openid/settings";
import type { Outbound } from "@/lib/outbound/fetch";
import { ALGORITHMS } from "@/lib/resources/issuer";
import type { OpenIdGrant } from "@/lib/store/people/openid-grants";

/** The OpenID provider and what a sign-in needs of it. */
export interface OpenIdProvider {
  readonly settings: OpenIdSettings;
  readonly at: Discovered;
  readonly keys: IssuerKeys;
  readonly fetch: Outbound;
}

/** The parameters of the browser's return from the provider. */
interface Returned {
  readonly code?: string | undefined;
  readonly state?: string | undefined;
  /** RFC 9207. */
  readonly iss?: string | undefined;
}

/** The values that next-auth stored in its encrypted cookies at the start of the sign-in. */
interface SentWith {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
}

/** A proven identity. */
export interface Proven {
  readonly subject: string;
  readonly claims: JsonObject;
  /** Tokens for the next check. */
  readonly grant: OpenIdGrant;
}

/**
 * Exchanges the returned code for a proven identity (OpenID Connect Core 1.0, 3.1): checks the `state`, redeems the code
 * with our PKCE verifier, and verifies the ID token.
 *
 * @param now epoch milliseconds
 * @throws ProviderUnavailable, or an Error that says what is wrong, for the log
 */
export async function redeem(
  provider: OpenIdProvider,
  returned: Returned,
  sent: SentWith,
  now: number,
): Promise<Proven> {
  const { settings, at, keys } = provider;
  const { server, client, authentication, options } = protocolOf(provider);
  const parameters = validateAuthResponse(server, client, toParameters(returned), sent.state);
  const { redirectUri, codeVerifier, nonce } = sent;
  const response = await authorizationCodeGrantRequest(
    server,
    client,
    authentication,
    parameters,
    redirectUri,
    codeVerifier,
    options,
  );
  const tokens = await processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: nonce,
    requireIdToken: true,
  });
  const expected = { ...settings, jwksUri: at.jwks_uri, nonce };
  const claims = await verifyIdToken(tokens.id_token ?? "", expected, keys, now, tokens.access_token);
  const grant = grantOf(tokens, { refreshToken: null, accessToken: null, nonce });
  return { subject: claims.sub, claims: await withUserinfo(provider, claims, grant.accessToken), grant };
}

/**
 * Checks a person with the provider again, with a refresh token or else the access token of their sign-in.
 *
 * @param now epoch milliseconds
 * @param keepTokens stores new tokens before they are checked: a provider that replaces refresh tokens accepts the earlier
 * one no more, and a later step can fail for a moment
 * @returns `"refused"` when the provider refuses the refresh token; `"unknown"` when no answer contains groups
 * @throws ProviderUnavailable, or an Error that says what is wrong, for the log
 */
export async function proveAgain(
  provider: OpenIdProvider,
  subject: string,
  held: OpenIdGrant,
  now: number,
  keepTokens: (grant: OpenIdGrant) => Promise<void>,
): Promise<Proven | "refused" | "unknown"> {
  const { settings, at, keys } = provider;
  if (held.refreshToken === null) return proveByUserinfo(provider, { sub: subject }, held);
  const tokens = await refresh(provider, held.refreshToken);
  if (tokens === "refused") return "refused";
  const grant = grantOf(tokens, held);
  await keepTokens(grant);
  if (tokens.id_token === undefined) return proveByUserinfo(provider, { sub: subject }, grant);
  const expected = { ...settings, jwksUri: at.jwks_uri, nonce: held.nonce, isRefreshed: true };
  const claims = await verifyIdToken(tokens.id_token, expected, keys, now, tokens.access_token);
  if (claims.sub !== subject) throw new Error("The refreshed ID token is somebody else's.");
  return { subject, claims: await withUserinfo(provider, claims, grant.accessToken), grant };
}

/** Asks the userinfo endpoint only. `unknown` when it has no groups, because the provider puts them only into ID tokens. */
async function proveByUserinfo(
  provider: OpenIdProvider,
  claims: JsonObject & { readonly sub: string },
  grant: OpenIdGrant,
): Promise<Proven | "unknown"> {
  const all = await withUserinfo(provider, claims, grant.accessToken);
  return readClaim(all, provider.settings.groupsClaim) === undefined
    ? "unknown"
    : { subject: claims.sub, claims: all, grant };
}

/** The new tokens, and those of the earlier grant that they do not replace (RFC 6749, 6). */
function grantOf(tokens: TokenEndpointResponse, before: OpenIdGrant): OpenIdGrant {
  return {
    refreshToken: tokens.refresh_token ?? before.refreshToken,
    accessToken: tokens.access_token,
    nonce: before.nonce,
  };
}

/** Redeems a refresh token; `"refused"` when the provider does not accept it any more. */
async function refresh(provider: OpenIdProvider, refreshToken: string): Promise<TokenEndpointResponse | "refused"> {
  const { server, client, authentication, options } = protocolOf(provider);
  const response = await refreshTokenGrantRequest(server, client, authentication, refreshToken, options);
  try {
    return await processRefreshTokenResponse(server, client, response);
  } catch (error) {
    if (error instanceof ResponseBodyError && error.status === 400 && error.error === "invalid_grant") return "refused";
    throw error;
  }
}

/** The arguments that every function of the library takes. */
function protocolOf({ settings, at, fetch }: OpenIdProvider) {
  const methods = at.token_endpoint_auth_methods_supported;
  const inBody = !methods.includes("client_secret_basic") && methods.includes("client_secret_post");
  return {
    // Without a list the library accepts only RS256. `verifyIdToken` accepts these.
    server: { ...at, id_token_signing_alg_values_supported: [...ALGORITHMS] },
    client: { client_id: settings.clientId },
    authentication: (inBody ? ClientSecretPost : ClientSecretBasic)(settings.clientSecret),
    options: throughOutbound(fetch),
  };
}

function toParameters({ code, state, iss }: Returned): URLSearchParams {
  const stated = Object.entries({ code, state, iss }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return new URLSearchParams(stated);
}

/**
 * Some providers return groups and e-mail only at the userinfo endpoint. This asks it when the ID token lacks one of them,
 * and adds only missing claims of the same subject (OpenID Connect Core 1.0, 5.3.2).
 */
async function withUserinfo(
  provider: OpenIdProvider,
  claims: JsonObject & { readonly sub: string },
  accessToken: string | null,
): Promise<JsonObject> {
  const { settings, at } = provider;
  const isWhole = readClaim(claims, settings.groupsClaim) !== undefined && claims["email"] !== undefined;
  if (isWhole || at.userinfo_endpoint === undefined || accessToken === null) return claims;
  const { server, client, options } = protocolOf(provider);
  const response = await userInfoRequest(server, client, accessToken, options);
  const added = await processUserInfoResponse(server, client, claims.sub, response);
  return { ...(added as JsonObject), ...claims };
}
