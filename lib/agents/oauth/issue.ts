import type { Context } from "oidc-provider";
import * as errors from "oidc-provider/lib/helpers/errors.js";
import { connectionOf } from "@/lib/agents/oauth/connection-of";
import { invalidGrant } from "@/lib/agents/oauth/describable";
import { BASE_SCOPE } from "@/lib/agents/oauth/scopes";
import { accessTokenSeconds } from "@/lib/auth/agents/own-issuer";
import { freshUser } from "@/lib/auth/openid/recheck";
import { SELF_REGISTERED } from "@/lib/contracts/people/client-label";
import { mayActAs } from "@/lib/resources/agent";
import { findUser, type StoredUser } from "@/lib/store/config/users";
import { touchRegistration } from "@/lib/store/oauth/client-registrations";
import { touchConnection } from "@/lib/store/oauth/connections";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";

// Checks that a person may still get a token, and chooses the ids that the token contains.

/**
 * The person of a grant; `undefined` ends the request. With a code or a refresh token, the connection's agent must still be one
 * that the person may act as.
 */
export async function findAccount(ctx: Context, id: string, source?: { readonly grantId?: string }) {
  const found = await findUser(id);
  if (found === null || !found.enabled || found.openIdRefused) return undefined;
  const person = source?.grantId === undefined ? found : await requireConfirmed(found);
  if (source?.grantId !== undefined) {
    const connection = await connectionOf(ctx, source.grantId);
    const agent = (await currentSnapshot()).agents.get(connection?.agent ?? "");
    if (agent === undefined || !agent.enabled || !mayActAs(person, agent)) return undefined;
  }
  return { accountId: person.id, claims: async () => ({ sub: person.id }) };
}

/**
 * Returns the person when the last confirmation by their OpenID provider stays valid until a new token expires. Otherwise
 * asks the provider again, as people's sessions do: this ends the connections of a person who lost their groups there.
 */
export async function requireConfirmed(person: StoredUser): Promise<StoredUser> {
  const fresh = await freshUser(person, Date.now(), accessTokenSeconds() * 1000);
  if (fresh !== null) return fresh;
  const again = await findUser(person.id);
  if (again === null || again.openIdRefused || !again.canAskOpenId)
    throw invalidGrant("The OpenID provider does not confirm this person any more: sign in again.");
  throw new errors.TemporarilyUnavailable("The OpenID provider could not confirm this person: try again later.");
}

/** A token that is about to be issued. */
interface IssuedToken {
  readonly kind: "AccessToken" | "ClientCredentials";
  readonly grantId?: string;
}

/** A client without a person acts as the agent of its registration. */
async function clientClaims(client: string): Promise<object> {
  const { signIn } = await currentSnapshot();
  const agent = signIn?.clients.get(client)?.agent ?? null;
  if (agent === null) throw invalidGrant("The client has no agent that it may act as without a person.");
  return { act: { sub: agent } };
}

/** Every token has the base scope, whatever its grant and its request: it stands for the use of the agent's tools. */
export async function addBaseScope(
  _ctx: Context,
  token: { scope?: string | undefined },
  { payload }: { readonly payload: { scope?: string } },
): Promise<void> {
  const scopes = (payload.scope ?? "").split(" ").filter((scope) => scope !== "");
  // The answer to the client reads the token's.
  token.scope = payload.scope = [...new Set([BASE_SCOPE, ...scopes])].join(" ");
}

/** Ids only: the snapshot supplies what they stand for (lib/auth/agents/own-issuer.ts). */
export async function extraTokenClaims(ctx: Context, token: IssuedToken): Promise<object> {
  const { oidc } = ctx;
  if (token.kind === "ClientCredentials") return clientClaims(oidc.client.clientId);
  const connection = token.grantId === undefined ? null : await connectionOf(ctx, token.grantId);
  if (connection === null) throw invalidGrant("The connection has ended.");
  touchConnection(connection.id);
  if (connection.client.startsWith(SELF_REGISTERED)) touchRegistration(connection.client);
  const { amr } = oidc.entities.RefreshToken ?? oidc.entities.AuthorizationCode ?? { amr: ["fed"] };
  return { grant: connection.id, act: { sub: connection.agent }, ...(amr !== undefined && { amr }) };
}
