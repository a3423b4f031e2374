import type { JsonObject } from "@/lib/access/model/configuration";
import { readClaim } from "@/lib/access/model/claims";
import type { IssuerKeys } from "@/lib/auth/agents/issuer-keys";
import { askProvider, ProviderUnavailable, type ProviderAnswer } from "@/lib/auth/people/openid/ask";
import type { Discovered } from "@/lib/auth/people/openid/discovery";
import { verifyIdToken } from "@/lib/auth/people/openid/id-token";
import type { OpenIdSettings } from "@/lib/auth/people/openid/settings";
import type { Outbound } from "@/lib/outbound/fetch";
import type { OpenIdGrant } from "@/lib/store/people/openid-grants";

/** The OpenID provider and what a sign-in needs of it. */
export interface OpenIdProvider {
  readonly settings: OpenIdSettings;
  readonly at: Discovered;
  readonly keys: IssuerKeys;
  readonly fetch: Outbound;
}

/** The parameters of the browser's return from the provider. */
export interface Returned {
  readonly code?: string | undefined;
  readonly state?: string | undefined;
  /** RFC 9207. */
  readonly iss?: string | undefined;
}

/** The values that next-auth stored in its encrypted cookies at the start of the sign-in. */
export interface SentWith {
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
  if (returned.state !== sent.state) throw new Error("`state` is not the one of this sign-in.");
  if (returned.iss === undefined ? at.authorization_response_iss_parameter_supported : returned.iss !== settings.issuer)
    throw new Error("The answer does not come from the issuer (RFC 9207).");
  if (returned.code === undefined) throw new Error("The answer brings no code.");
  const tokens = await exchange(provider, returned.code, sent);
  const expected = { ...settings, jwksUri: at.jwks_uri, nonce: sent.nonce };
  const claims = await verifyIdToken(String(tokens["id_token"]), expected, keys, now, textOf(tokens["access_token"]));
  const grant = grantOf(tokens, { refreshToken: null, accessToken: null, nonce: sent.nonce });
  return { subject: claims.sub, claims: await withUserinfo(provider, claims, grant.accessToken), grant };
}

/**
 * Checks a person with the provider again, with a refresh token or else the access token of their sign-in.
 *
 * @param now epoch milliseconds
 * @returns `"refused"` when the provider refuses the refresh token; `"unknown"` when no answer contains groups
 * @throws ProviderUnavailable, or an Error that says what is wrong, for the log
 */
export async function proveAgain(
  provider: OpenIdProvider,
  subject: string,
  held: OpenIdGrant,
  now: number,
): Promise<Proven | "refused" | "unknown"> {
  const { settings, at, keys } = provider;
  if (held.refreshToken === null) return proveByUserinfo(provider, { sub: subject }, held);
  const { status, fields } = await askForTokens(provider, {
    grant_type: "refresh_token",
    refresh_token: held.refreshToken,
  });
  if (status === 400 && fields["error"] === "invalid_grant") return "refused";
  if (status !== 200) throw new ProviderUnavailable(`A refresh token was answered with ${status}.`);
  const grant = grantOf(fields, held);
  const idToken = textOf(fields["id_token"]);
  if (idToken === null) return proveByUserinfo(provider, { sub: subject }, grant);
  const expected = { ...settings, jwksUri: at.jwks_uri, nonce: held.nonce, isRefreshed: true };
  const claims = await verifyIdToken(idToken, expected, keys, now, textOf(fields["access_token"]));
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
function grantOf(tokens: JsonObject, before: OpenIdGrant): OpenIdGrant {
  return {
    refreshToken: textOf(tokens["refresh_token"]) ?? before.refreshToken,
    accessToken: textOf(tokens["access_token"]) ?? before.accessToken,
    nonce: before.nonce,
  };
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/** RFC 6749, 4.1.3, with the verifier of RFC 7636. */
async function exchange(provider: OpenIdProvider, code: string, sent: SentWith): Promise<JsonObject> {
  const { status, fields } = await askForTokens(provider, {
    grant_type: "authorization_code",
    code,
    redirect_uri: sent.redirectUri,
    code_verifier: sent.codeVerifier,
  });
  if (status !== 200) throw new Error(`The provider refused the code: ${String(fields["error"])} (${status}).`);
  return fields;
}

async function askForTokens(
  { settings, at, fetch }: OpenIdProvider,
  fields: Readonly<Record<string, string>>,
): Promise<ProviderAnswer> {
  const { clientId, clientSecret } = settings;
  const methods = at.token_endpoint_auth_methods_supported;
  const inBody = !methods.includes("client_secret_basic") && methods.includes("client_secret_post");
  const form = new URLSearchParams({
    ...fields,
    ...(inBody && { client_id: clientId, client_secret: clientSecret }),
  });
  return askProvider(fetch, {
    url: at.token_endpoint,
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    ...(!inBody && { credentials: { authorization: basic(clientId, clientSecret) } }),
    body: form.toString(),
  });
}

/** RFC 6749, 2.3.1: both are form-encoded before they are joined. */
function basic(clientId: string, clientSecret: string): string {
  const encoded = (text: string) => new URLSearchParams({ "": text }).toString().slice(1);
  return `Basic ${Buffer.from(`${encoded(clientId)}:${encoded(clientSecret)}`).toString("base64")}`;
}

/**
 * Some providers return groups and e-mail only at the userinfo endpoint. This asks it when the ID token lacks one of them,
 * and adds only missing claims of the same subject (OpenID Connect Core 1.0, 5.3.2).
 */
async function withUserinfo(
  { settings, at, fetch }: OpenIdProvider,
  claims: JsonObject & { readonly sub: string },
  accessToken: string | null,
): Promise<JsonObject> {
  const isWhole = readClaim(claims, settings.groupsClaim) !== undefined && claims["email"] !== undefined;
  if (isWhole || at.userinfo_endpoint === undefined || accessToken === null) return claims;
  const { status, fields } = await askProvider(fetch, {
    url: at.userinfo_endpoint,
    credentials: { authorization: `Bearer ${accessToken}` },
  });
  if (status !== 200) throw new Error(`The userinfo endpoint answered ${status}.`);
  if (fields["sub"] !== claims.sub) throw new Error("The userinfo endpoint told of someone else.");
  return { ...fields, ...claims };
}
