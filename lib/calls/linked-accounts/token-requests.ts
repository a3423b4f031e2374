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

/** The tokens of an answer. */
interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  /** When the access token is no longer used; `null` = the server states no end. */
  readonly usableUntil: Date | null;
  /** The granted scopes; `null` = those that were requested. */
  readonly scope: string | null;
}

/** The values of the sign-in's start. */
interface SentWith {
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
  sent: SentWith,
  returned: URLSearchParams,
  send: Outbound,
  now: number,
): Promise<Tokens> {
  const { server, client, state, codeVerifier, redirectUri, resource } = sent;
  const ours = { client_id: client.id };
  const parameters = checkedReturn(server, ours, returned, state);
  const response = await authorizationCodeGrantRequest(
    server,
    ours,
    await authenticationOf(client, server.token_endpoint ?? ""),
    parameters,
    redirectUri,
    codeVerifier,
    { ...throughOutbound(send), additionalParameters: { resource } },
  );
  try {
    return await tokensOf(server, ours, response, now);
  } catch (error) {
    if (error instanceof LinkProblem) await forgetUnknownClient(client, server.issuer, refusalOf(error.cause));
    throw error;
  }
}

function checkedReturn(
  server: AuthorizationServer,
  ours: { readonly client_id: string },
  returned: URLSearchParams,
  state: string,
): URLSearchParams {
  // RFC 9207, 2.4: `iss` is compared before anything else of the answer counts, also of an error.
  if (returned.has("iss") && returned.get("iss") !== server.issuer)
    throw new LinkProblem(
      "mismatch",
      "The answer came from another authorization server than the one you were sent to.",
    );
  const error = returned.get("error");
  if (error !== null)
    throw new LinkProblem(
      error === "access_denied" ? "declined" : "refused",
      `The upstream's sign-in ended with \`${error.replaceAll(/[^\x21-\x7e]/g, "").slice(0, 100)}\`.`,
    );
  try {
    return validateAuthResponse(server, ours, returned, state);
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
  const [at, ours] = [toServer(server), { client_id: client.id }];
  const authentication = await authenticationOf(client, server.token_endpoint);
  const options = { ...throughOutbound(send), additionalParameters: { resource } };
  const response = await refreshTokenGrantRequest(at, ours, authentication, refreshToken, options);
  try {
    return await tokensOf(at, ours, response, now);
  } catch (error) {
    const code = error instanceof LinkProblem ? refusalOf(error.cause) : null;
    if (code === "invalid_grant") return "ended";
    if (!(await forgetUnknownClient(client, server.issuer, code))) throw error;
    return "ended";
  }
}

function refusalOf(cause: unknown): string | null {
  return cause instanceof ResponseBodyError ? cause.error : null;
}

/**
 * Forgets a dynamic registration that its server no longer knows, so that the next sign-in registers again. Of another
 * client, `invalid_client` is a wrong secret or a document that the server could not read: that ends nobody's account.
 */
async function forgetUnknownClient({ id, via }: LinkClient, issuer: string, code: string | null): Promise<boolean> {
  if (code !== "invalid_client" || via !== "registered") return false;
  await dropRegistration(issuer, id);
  return true;
}

/**
 * Revokes the tokens of a grant (RFC 7009): the refresh token, which ends its access tokens at most servers, then the access token.
 *
 * @returns `"not_offered"` when the server has no revocation endpoint
 * @throws LinkProblem, AppError
 */
export async function revokeTokens(grant: LinkGrant, send: Outbound): Promise<"revoked" | "not_offered"> {
  const { server, client, accessToken, refreshToken } = grant;
  if (server.revocation_endpoint === null) return "not_offered";
  const [at, ours] = [toServer(server), { client_id: client.id }];
  const tokens = [
    ...(refreshToken === null ? [] : [[refreshToken, "refresh_token"] as const]),
    [accessToken, "access_token"] as const,
  ];
  for (const [token, hint] of tokens) {
    const authentication = await authenticationOf(client, server.revocation_endpoint);
    const options = { ...throughOutbound(send), additionalParameters: { token_type_hint: hint } };
    const response = await revocationRequest(at, ours, authentication, token, options);
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

/** Visible ASCII: anything else would break the header that carries it. */
const TOKEN = /^[\x21-\x7e]{1,16384}$/;
/** Longest lifetime that is believed, in seconds. */
const LONGEST_SECONDS = 10 * 365 * 24 * 3600;
/** The most time before its expiry at which a token is refreshed, in milliseconds. */
const AHEAD_MS = 60_000;

async function tokensOf(
  server: AuthorizationServer,
  ours: { readonly client_id: string },
  response: Response,
  now: number,
): Promise<Tokens> {
  const { host } = new URL(server.issuer);
  const answer = await processGenericTokenEndpointResponse(server, ours, await withoutIdToken(response)).catch(
    (cause: unknown) => {
      const why =
        cause instanceof ResponseBodyError && /^[a-z_]{1,60}$/.test(cause.error) ? `: \`${cause.error}\`` : "";
      throw new LinkProblem("refused", `${host} issued no token${why}.`, { cause });
    },
  );
  requireBearer(answer, host);
  const lifetimeMs = Math.min(answer.expires_in ?? 0, LONGEST_SECONDS) * 1000;
  // A fifth of a short lifetime: a token of a minute is not refreshed at every call.
  const usableUntil = lifetimeMs <= 0 ? null : new Date(now + lifetimeMs - Math.min(AHEAD_MS, lifetimeMs / 5));
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

/** Nobody here reads the ID token, which says who the person is at the upstream. The library would verify it. */
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
