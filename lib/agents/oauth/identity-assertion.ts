import type { Context, Provider } from "oidc-provider";
import * as errors from "oidc-provider/lib/helpers/errors.js";
import { invalidGrant } from "@/lib/agents/oauth/describable";
import { requireConfirmed } from "@/lib/agents/oauth/issue";
import { resourceServer } from "@/lib/agents/oauth/resource-server";
import { BASE_SCOPE, supportedScopes } from "@/lib/agents/oauth/scopes";
import { processKeys } from "@/lib/auth/agents/agent";
import { ownAudience } from "@/lib/auth/agents/own-issuer";
import { isRevoked } from "@/lib/auth/agents/revoked";
import { verifyToken } from "@/lib/auth/agents/token";
import { SKEW_SECONDS } from "@/lib/auth/agents/token-claims";
import { publicOrigin } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { mayActAs, type AgentRow } from "@/lib/resources/agent";
import { findOpenIdUser, type StoredUser } from "@/lib/store/config/users";
import { connectionsOf, saveConnection } from "@/lib/store/oauth/connections";
import { insertOAuthRow } from "@/lib/store/oauth/oauth-rows";
import type { Actor } from "@/lib/store/save/write";
import type { Snapshot } from "@/lib/store/snapshot/build";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";

// Enterprise-managed authorization: the identity provider of a company decides which client may act for which person, and says
// so in an identity assertion, the ID-JAG (draft-ietf-oauth-identity-assertion-authz-grant). Nobody is asked for consent.

/** The `typ` of an ID-JAG. No issuer's access tokens are accepted with it. */
const TYPE = "oauth-id-jag+jwt";
/** Longest life of an ID-JAG in seconds, from its `iat` and from now. */
const MAX_SECONDS = 600;

/** The handler of the grant type: redeems an ID-JAG for one access token, without a refresh token. */
export function redeemAssertion(provider: Provider): (ctx: Context) => Promise<void> {
  return async (ctx) => {
    const { client, params } = ctx.oidc;
    if (client.clientAuthMethod !== "private_key_jwt")
      throw new errors.UnauthorizedClient("Only clients that authenticate with a key redeem identity assertions.");
    const { assertion } = params;
    if (assertion === undefined) throw new errors.InvalidRequest("The parameter `assertion` is missing.");
    const snapshot = await currentSnapshot();
    const asserted = await verifyAssertion(assertion, client.clientId, snapshot);
    const person = await personOf(asserted);
    const scopes = scopesOf(params["scope"], asserted.scope, snapshot);
    const agent = await agentOf(person, client.clientId, snapshot);
    await requireUnused(asserted);
    const actor = { kind: "system", name: `identity assertion of ${asserted.issuer}`, role: "admin" } as const;
    const grantId = await connect(actor, person, client, { agent, scopes });
    const token = new provider.AccessToken({ accountId: person.id, client, grantId, gty: "jwt-bearer" });
    token.resourceServer = new provider.ResourceServer(ownAudience(), await resourceServer());
    token.scope = scopes.join(" ");
    ctx.body = {
      access_token: await token.save(),
      expires_in: token.expiration,
      token_type: "Bearer",
      scope: token.scope,
    };
  };
}

/** What a valid ID-JAG says. */
interface Asserted {
  readonly issuer: string;
  readonly subject: string;
  readonly jti: string;
  /** Epoch seconds. */
  readonly expiresAt: number;
  readonly scope: string | null;
}

/**
 * Verifies an ID-JAG with the checks of an agent's token: signature, issuer, audience, times. Only issuers that an admin allows
 * this are known here, and the audience is our issuer. Then checks the claims that only an ID-JAG has.
 */
async function verifyAssertion(assertion: string, client: string, snapshot: Snapshot): Promise<Asserted> {
  const allowed = [...snapshot.issuers.values()].filter((row) => row.identityAssertions);
  const rules = { audience: publicOrigin(), types: [TYPE], maxTokenAgeSeconds: MAX_SECONDS };
  const issuers = new Map(allowed.map((row) => [row.name, { ...row, ...rules }]));
  const now = Date.now();
  const { claims, subject, issuer } = await verifyToken(
    assertion,
    { ...snapshot, issuers, signIn: null },
    processKeys(),
    now,
  ).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "unauthenticated") throw invalidGrant(error.message);
    throw error;
  });
  const { aud, jti, exp, scope, client_id: boundTo, resource } = claims;
  if (typeof aud !== "string" && !(Array.isArray(aud) && aud.length === 1))
    throw invalidGrant("The assertion has more than one audience.");
  if (typeof jti !== "string" || jti === "") throw invalidGrant("The assertion has no `jti`.");
  if (boundTo !== client) throw invalidGrant("The assertion was issued for another client.");
  if (resource !== ownAudience()) throw invalidGrant("The assertion was issued for another resource.");
  if (typeof exp !== "number" || exp > now / 1000 + MAX_SECONDS + SKEW_SECONDS)
    throw invalidGrant(`The assertion is valid for longer than ${MAX_SECONDS} s.`);
  if (isRevoked(snapshot, issuer.issuer, jti, now)) throw invalidGrant("The assertion was revoked.");
  return { issuer: issuer.issuer, subject, jti, expiresAt: exp, scope: typeof scope === "string" ? scope : null };
}

/** The person who signs in here with the same issuer and subject. */
async function personOf({ issuer, subject }: Asserted): Promise<StoredUser> {
  const person = await findOpenIdUser(issuer, subject);
  if (person === null || !person.enabled || person.openIdRefused)
    throw invalidGrant("The assertion's subject is not a person who may sign in here.");
  // The assertion vouches for the person, not for their groups.
  return requireConfirmed(person);
}

/** The scopes of the token: the base scope and what the request asks for, within what the assertion allows. */
function scopesOf(requested: string | undefined, allowed: string | null, snapshot: Snapshot): readonly string[] {
  const available = supportedScopes(snapshot);
  const within = allowed === null ? available : available.filter((scope) => allowed.split(" ").includes(scope));
  if (!within.includes(BASE_SCOPE))
    throw new errors.InvalidScope(`The assertion does not allow the scope ${BASE_SCOPE}, which every token has.`);
  if (requested === undefined) return allowed === null ? [BASE_SCOPE] : within;
  const asked = within.filter((scope) => requested.split(" ").includes(scope));
  if (asked.length === 0) throw new errors.InvalidScope("The assertion allows no scope of the request.");
  return [...new Set([BASE_SCOPE, ...asked])];
}

/** The agent of the person's connection with this client; without one, the only agent that names them as an owner. */
async function agentOf(person: StoredUser, client: string, { agents }: Snapshot): Promise<string> {
  const mine = [...agents.values()].filter((agent) => agent.enabled && mayActAs(person, agent));
  const connected = (await connectionsOf(person.id)).find((connection) => connection.client === client);
  if (connected !== undefined && mine.some(({ name }) => name === connected.agent)) return connected.agent;
  const [agent, ...others] = mine.filter((row) => isNamedOwner(person, row));
  if (agent === undefined || others.length > 0)
    throw invalidGrant("The person owns no agent, or several: connect the client once by signing in.");
  return agent.name;
}

/** Whether an agent names the person or one of their groups. The role admin does not count: it would choose every agent. */
function isNamedOwner(person: StoredUser, agent: AgentRow): boolean {
  return mayActAs({ ...person, role: "editor" }, agent);
}

/** Remembers the `jti` for longer than the assertion is accepted. */
async function requireUnused({ issuer, jti, expiresAt }: Asserted): Promise<void> {
  const seconds = Math.max(1, Math.ceil(expiresAt - Date.now() / 1000) + 2 * SKEW_SECONDS);
  if (!(await insertOAuthRow("IdentityAssertion", `${issuer}\n${jti}`, seconds)))
    throw invalidGrant("The assertion was used before.");
}

/** The connection of person, client and agent; a wider one that exists stays as it is. */
async function connect(
  actor: Actor,
  person: StoredUser,
  { clientId: client, clientName = "" }: Context["oidc"]["client"],
  { agent, scopes }: { readonly agent: string; readonly scopes: readonly string[] },
): Promise<string> {
  const known = (await connectionsOf(person.id)).find((row) => row.client === client && row.agent === agent);
  if (known !== undefined && scopes.every((scope) => known.scopes.includes(scope))) return known.id;
  const all = [...new Set([...(known?.scopes ?? []), ...scopes])];
  return saveConnection(actor, { person: person.id, client, clientName, agent, scopes: all });
}
