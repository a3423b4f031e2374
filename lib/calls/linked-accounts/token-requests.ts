import {
  authorizationCodeGrantRequest,
  processGenericTokenEndpointResponse,
  processRevocationResponse,
  refreshTokenGrantRequest,
  ResponseBodyError,
  revocationRequest,
  validateAuthResponse,
  type AuthorizationServer,
  type TokenEndpointResponse,
} from "oauth4webapi";
import { LinkProblem } from "@/lib/calls/linked-accounts/link-problem";
import { throughOutbound } from "@/lib/calls/linked-accounts/request-server";
import { authenticationOf } from "@/lib/calls/linked-accounts/upstream-client";
import type { Outbound } from "@/lib/outbound/fetch";
import { dropRegistration } from "@/lib/store/keys/upstream-clients";
import type { LinkClient, LinkGrant } from "@/lib/store/keys/linked-accounts";

/** The tokens that a token endpoint issued. */
interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  /**
   * The access token is used until this time, shortly before it expires; `null` = the server states no lifetime, or 0, which
   * some servers write for a token that does not expire. A token that has expired is refreshed when the upstream refuses it.
   */
  readonly usableUntil: Date | null;
  /** The granted scopes; `null` = all requested scopes. */
  readonly scope: string | null;
}

/** The values with which the sign-in began. */
interface StartedSignIn {
  readonly server: AuthorizationServer;
  readonly client: LinkClient;
  readonly state: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
  readonly resource: string;
}

/**
 * Checks the browser's return (`state`, and `iss` by RFC 9207) and redeems the code with our PKCE verifier.
 *
 * @throws LinkProblem, AppError
 */
export async function redeemCode(
  started: StartedSignIn,
  returned: URLSearchParams,
  send: Outbound,
  now: number,
): Promise<Tokens> {
  const { server, client, state, codeVerifier, redirectUri, resource } = started;
  const oauthClient = { client_id: client.id };
  const parameters = validateReturn(server, oauthClient, returned, state);
  const response = await authorizationCodeGrantRequest(
    server,
    oauthClient,
    await authenticationOf(client, server.token_endpoint ?? ""),
    parameters,
    redirectUri,
    codeVerifier,
    { ...throughOutbound(send), additionalParameters: { resource } },
  );
  try {
    return await tokensOf(server, oauthClient, response, now);
  } catch (error) {
    if (error instanceof LinkProblem) await deleteUnknownRegistration(client, server.issuer, errorCodeOf(error.cause));
    throw error;
  }
}

function validateReturn(
  server: AuthorizationServer,
  oauthClient: { readonly client_id: string },
  returned: URLSearchParams,
  state: string,
): URLSearchParams {
  // RFC 9207, 2.4: compare `iss` before reading the rest of the answer, even if the answer is an error.
  if (returned.has("iss") && returned.get("iss") !== server.issuer)
    throw new LinkProblem("mismatch", "The answer did not come from the authorization server that you were sent to.");
  const error = returned.get("error");
  if (error !== null)
    throw new LinkProblem(
      error === "access_denied" ? "declined" : "refused",
      `The upstream's sign-in ended with \`${error.replaceAll(/[^\x21-\x7e]/g, "").slice(0, 100)}\`.`,
    );
  try {
    return validateAuthResponse(server, oauthClient, returned, state);
  } catch (cause) {
    throw new LinkProblem("mismatch", "The upstream's answer does not belong to this sign-in.", { cause });
  }
}

/**
 * Refreshes the tokens of a grant.
 *
 * @returns `"ended"` when the server no longer accepts the refresh token
 * @throws LinkProblem, AppError
 */
export async function refreshTokens(
  { server, client, refreshToken, resource }: LinkGrant,
  send: Outbound,
  now: number,
): Promise<Tokens | "ended"> {
  if (refreshToken === null) return "ended";
  const [authServer, oauthClient] = [toServer(server), { client_id: client.id }];
  const authentication = await authenticationOf(client, server.token_endpoint);
  const options = { ...throughOutbound(send), additionalParameters: { resource } };
  const response = await refreshTokenGrantRequest(authServer, oauthClient, authentication, refreshToken, options);
  try {
    return await tokensOf(authServer, oauthClient, response, now);
  } catch (error) {
    const code = error instanceof LinkProblem ? errorCodeOf(error.cause) : null;
    if (code === "invalid_grant") return "ended";
    if (!(await deleteUnknownRegistration(client, server.issuer, code))) throw error;
    return "ended";
  }
}

function errorCodeOf(cause: unknown): string | null {
  return cause instanceof ResponseBodyError ? cause.error : null;
}

/**
 * Deletes a dynamic registration that its server no longer knows, so that the next sign-in registers again. For other
 * clients, `invalid_client` means a wrong secret or an unreadable client document, so their accounts stay linked.
 *
 * @returns whether it deleted the registration
 */
async function deleteUnknownRegistration(
  { id, via }: LinkClient,
  issuer: string,
  code: string | null,
): Promise<boolean> {
  if (code !== "invalid_client" || via !== "registered") return false;
  await dropRegistration(issuer, id);
  return true;
}

/**
 * Revokes the tokens of a grant (RFC 7009). The refresh token comes first, because most servers then end its access
 * tokens too.
 *
 * @returns `"not_offered"` when the server has no revocation endpoint
 * @throws LinkProblem, AppError
 */
export async function revokeTokens(grant: LinkGrant, send: Outbound): Promise<"revoked" | "not_offered"> {
  const { server, client, accessToken, refreshToken } = grant;
  if (server.revocation_endpoint === null) return "not_offered";
  const [authServer, oauthClient] = [toServer(server), { client_id: client.id }];
  const tokens = [
    ...(refreshToken === null ? [] : [[refreshToken, "refresh_token"] as const]),
    [accessToken, "access_token"] as const,
  ];
  for (const [token, hint] of tokens) {
    const authentication = await authenticationOf(client, server.revocation_endpoint);
    const options = { ...throughOutbound(send), additionalParameters: { token_type_hint: hint } };
    const response = await revocationRequest(authServer, oauthClient, authentication, token, options);
    await processRevocationResponse(response).catch((cause: unknown) => {
      // RFC 7009, 2.2.1: a server may not revoke access tokens.
      if (cause instanceof ResponseBodyError && cause.error === "unsupported_token_type") return;
      throw new LinkProblem("refused", `${new URL(server.issuer).host} did not revoke a token.`, { cause });
    });
  }
  return "revoked";
}

function toServer({ issuer, token_endpoint, revocation_endpoint }: LinkGrant["server"]): AuthorizationServer {
  return { issuer, token_endpoint, ...(revocation_endpoint !== null && { revocation_endpoint }) };
}

/** A token is sent in a header, so it must be visible ASCII. */
const TOKEN = /^[\x21-\x7e]{1,16384}$/;
/** The longest lifetime of a token that we accept from a server, in seconds. Longer ones are cut. */
const MAX_LIFETIME_SECONDS = 10 * 365 * 24 * 3600;
/** A token is refreshed at most this long before it expires, in milliseconds. */
const MAX_EARLY_MS = 60_000;

async function tokensOf(
  server: AuthorizationServer,
  oauthClient: { readonly client_id: string },
  response: Response,
  now: number,
): Promise<Tokens> {
  const { host } = new URL(server.issuer);
  const answer = await processGenericTokenEndpointResponse(server, oauthClient, await withoutIdToken(response)).catch(
    (cause: unknown) => {
      const reason =
        cause instanceof ResponseBodyError && /^[a-z_]{1,60}$/.test(cause.error) ? `: \`${cause.error}\`` : "";
      throw new LinkProblem("refused", `${host} issued no token${reason}.`, { cause });
    },
  );
  requireBearer(answer, host);
  const lifetimeMs = Math.min(answer.expires_in ?? 0, MAX_LIFETIME_SECONDS) * 1000;
  // A short-lived token is used for four fifths of its lifetime, so that not every call refreshes it.
  const usableUntil = lifetimeMs <= 0 ? null : new Date(now + lifetimeMs - Math.min(MAX_EARLY_MS, lifetimeMs / 5));
  return {
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token ?? null,
    usableUntil,
    scope: answer.scope ?? null,
  };
}

function requireBearer(answer: TokenEndpointResponse, host: string): void {
  if (answer.token_type.toLowerCase() !== "bearer")
    throw new LinkProblem("not_supported", `${host} issues tokens that are not Bearer tokens.`);
  if (!TOKEN.test(answer.access_token) || !(answer.refresh_token === undefined || TOKEN.test(answer.refresh_token)))
    throw new LinkProblem("not_supported", `${host} issued a token that cannot be sent in a header.`);
}

/** Removes the ID token, which nothing here reads. Otherwise the library would verify it. */
async function withoutIdToken(response: Response): Promise<Response> {
  if (response.status !== 200) return response;
  const text = await response.text();
  const { status, headers } = response;
  try {
    const { id_token: _, ...rest } = JSON.parse(text) as Record<string, unknown>;
    return new Response(JSON.stringify(rest), { status, headers });
  } catch {
    return new Response(text, { status, headers });
  }
}
