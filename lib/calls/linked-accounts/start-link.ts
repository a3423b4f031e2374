import { calculatePKCECodeChallenge, generateRandomCodeVerifier, generateRandomState } from "oauth4webapi";
import type { AuthorizationServer } from "oauth4webapi";
import { joinScopes } from "@/lib/calls/linked-accounts/challenge";
import { discoverUpstream, type LinkableSource } from "@/lib/calls/linked-accounts/discovery";
import { redirectUri } from "@/lib/calls/linked-accounts/our-client";
import { authenticationOf, clientFor } from "@/lib/calls/linked-accounts/upstream-client";
import type { Outbound } from "@/lib/outbound/fetch";
import { saveAttempt } from "@/lib/store/keys/link-attempts";
import { findLink, type LinkClient, type LinkedAccount } from "@/lib/store/keys/linked-accounts";

/** The facts of a sign-in that the callback needs. */
export interface AttemptFacts {
  readonly codeVerifier: string;
  readonly redirectUri: string;
  readonly resource: string;
  readonly scope: string;
  readonly server: AuthorizationServer;
  readonly client: LinkClient;
  /** The source's settings at the start, as JSON text. After a change the sign-in does not count. */
  readonly auth: string;
}

/** The person who links an account, and the start of their browser's session in epoch seconds. */
export interface LinkingPerson {
  readonly personId: string;
  readonly session: number;
}

/**
 * Begins a sign-in at the upstream of a source (RFC 6749, 4.1; PKCE; RFC 8707).
 *
 * @returns the address at which the person signs in
 * @throws LinkProblem, AppError
 */
export async function startLink(
  source: LinkableSource,
  { personId, session }: LinkingPerson,
  send: Outbound,
  now: number,
): Promise<string> {
  const { server, resource, scope: usual } = await discoverUpstream(source, send, now, true);
  const scope = widenScope(usual, await findLink(personId, source.name));
  const client = await clientFor(source, personId, server, send, now);
  // A secret that is missing, or may not be sent there, is refused before the person signs in for nothing.
  await authenticationOf(client, server.token_endpoint ?? "");
  const state = generateRandomState();
  const codeVerifier = generateRandomCodeVerifier();
  const facts: AttemptFacts = {
    codeVerifier,
    redirectUri: redirectUri(),
    resource,
    scope,
    server,
    client,
    auth: settingsOf(source),
  };
  await saveAttempt(state, { personId, session, source: source.name }, facts, now);
  const url = new URL(server.authorization_endpoint ?? "");
  const requestedScopes = scopesToAsk(scope, server);
  const parameters = {
    response_type: "code",
    client_id: client.id,
    redirect_uri: facts.redirectUri,
    state,
    code_challenge: await calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: "S256",
    resource,
    ...(requestedScopes !== "" && { scope: requestedScopes }),
    // OpenID Connect Core 1.0, 11: `offline_access` counts only with consent.
    ...(requestedScopes.split(" ").includes("offline_access") && { prompt: "consent" }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/**
 * The scopes of the next sign-in: the usual ones, and after a call that needed more also the granted and the needed ones,
 * because a new grant replaces the former (MCP, Authorization, Scope Challenge Handling).
 */
export function widenScope(usual: string, account: Pick<LinkedAccount, "scope" | "wantedScope"> | null): string {
  if (account === null || account.wantedScope === null) return usual;
  return joinScopes(usual, account.scope, account.wantedScope);
}

/** The scopes, with the one for a refresh token where the server knows it: without it the person would sign in every hour. */
export function scopesToAsk(scope: string, { scopes_supported: supported }: AuthorizationServer): string {
  const words = scope.split(" ").filter((word) => word !== "");
  const offline = supported?.includes("offline_access") === true && words.length > 0 ? ["offline_access"] : [];
  return [...new Set([...words, ...offline])].join(" ");
}

/** The settings of a source that a sign-in depends on. */
export function settingsOf({ kind, url, auth }: LinkableSource): string {
  return JSON.stringify([kind, url, auth]);
}
