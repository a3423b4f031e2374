import { oncePer } from "@/lib/access/model/once-per";
import { OWN_CAPABILITIES_CLAIM } from "@/lib/access/model/claims";
import type { JsonObject } from "@/lib/access/model/configuration";
import { refuseCredential } from "@/lib/auth/agents/refusal";
import type { Registry } from "@/lib/auth/agents/caller";
import { env, publicOrigin } from "@/lib/env";
import { mayActAs } from "@/lib/resources/agent";
import type { AgentRow } from "@/lib/resources/agent";
import type { IssuerRow } from "@/lib/resources/issuer";
import type { SignIn } from "@/lib/store/snapshot/build";

// Our own authorization server (lib/agents/oauth) as an issuer. Its tokens carry ids only: the snapshot supplies everything
// else, so that a change applies to tokens that are already out.

/** Most seconds for which an access token is valid. */
const ACCESS_TOKEN_SECONDS = 600;

/**
 * Seconds for which an access token is valid: at most two thirds of OIDC_RECHECK_MINUTES, so that a refresh after a check
 * yields a token that ends within that time.
 */
export function accessTokenSeconds(): number {
  return Math.min(ACCESS_TOKEN_SECONDS, env.OIDC_RECHECK_MINUTES * 40);
}

/** The only audience of our tokens: the address of `/mcp`, which also stands for the agent API. */
export function ownAudience(): string {
  return new URL("/mcp", env.NEXTAUTH_URL).href;
}

/** Our own authorization server as an issuer; `null` before its first key exists. */
export function ownIssuer({ signIn }: Pick<Registry, "signIn">): IssuerRow | null {
  if (signIn === undefined || signIn === null || signIn.keys.size === 0) return null;
  return toIssuer(signIn.keys);
}

/** One row per set of keys: caches use its identity. */
const toIssuer = oncePer((keys: SignIn["keys"]): IssuerRow => {
  const at = new Date(0).toISOString();
  return {
    name: "quartermaster",
    description: "The authorization server of this installation.",
    issuer: publicOrigin(),
    audience: ownAudience(),
    jwksUri: null,
    jwks: { keys: [...keys.values()].map(({ publicKey }) => publicKey) } as IssuerRow["jwks"],
    algorithms: ["ES256"],
    types: ["at+jwt"],
    maxTokenAgeSeconds: ACCESS_TOKEN_SECONDS,
    allowUnregistered: false,
    identityAssertions: false,
    capabilitiesClaim: OWN_CAPABILITIES_CLAIM,
    enabled: true,
    revision: 0,
    createdAt: at,
    updatedAt: at,
  };
});

/** The caller behind a token of ours. */
interface OwnCaller {
  readonly agent: AgentRow;
  readonly claims: JsonObject;
}

/**
 * Finds the agent and the claims of a verified token of ours. What the token was issued for must still exist. Policies read the
 * agent's attributes as with an API key, and the token's own claims.
 *
 * @throws AppError `unauthenticated`
 */
export function ownCaller(claims: JsonObject, registry: Registry): OwnCaller {
  const client = String(claims["client_id"]);
  // The name of a registered client is a slug; every other client is the address of its document.
  const isRegistered = !client.includes(":");
  const registered = registry.signIn?.clients.get(client);
  if (isRegistered && registered?.enabled !== true)
    throw refuseCredential("The client of this token is not registered any more, or disabled.");
  if (claims["grant"] !== undefined) return connectedCaller(claims, registry);
  if (registered === undefined || registered.agent === null || registered.agent !== actorOf(claims))
    throw refuseCredential("The client of this token acts as another agent now.");
  return withAttributes(claims, requireAgent(registered.agent, registry), {});
}

/**
 * Whether the connection of a verified token of ours is known, or the client of a token without one. Another instance may have
 * made either a moment ago.
 */
export function isGrantKnown({ grant, client_id: client }: JsonObject, { signIn }: Registry): boolean {
  const known = grant === undefined ? signIn?.clients.has(String(client)) : signIn?.connections.has(String(grant));
  return known === true;
}

/** The caller behind a person's connection. @throws AppError `unauthenticated` */
function connectedCaller(claims: JsonObject, registry: Registry): OwnCaller {
  const { grant, sub, client_id: client } = claims;
  const connection = registry.signIn?.connections.get(String(grant));
  if (connection === undefined) throw refuseCredential("The connection of this client has ended: sign in again.");
  if (connection.person !== sub || connection.client !== client || connection.agent !== actorOf(claims))
    throw refuseCredential("The token does not match its connection: sign in again.");
  const person = registry.signIn?.people.get(connection.person);
  if (person === undefined) throw refuseCredential("The person of this connection may not sign in any more.");
  const agent = requireAgent(connection.agent, registry);
  if (!mayActAs(person, agent))
    throw refuseCredential("The person of this connection is no longer an owner of the agent.");
  const { name, role, groups } = person;
  return withAttributes(withinConsent(claims, connection.scopes), agent, { person: { name, role, groups } });
}

/** The claims with the scopes that the person still consents to: a later consent can have fewer than the token. */
function withinConsent(claims: JsonObject, consented: readonly string[]): JsonObject {
  const scopes = String(claims["scope"] ?? "").split(" ");
  const kept = scopes.filter((scope) => consented.includes(scope));
  return kept.length === scopes.length ? claims : { ...claims, scope: kept.join(" ") };
}

function requireAgent(name: string, { agents }: Registry): AgentRow {
  const agent = agents.get(name);
  if (agent === undefined) throw refuseCredential("The agent of this token does not exist any more.");
  return agent;
}

function actorOf({ act }: JsonObject): unknown {
  return typeof act === "object" && act !== null && "sub" in act ? act.sub : undefined;
}

function withAttributes(claims: JsonObject, agent: AgentRow, facts: JsonObject): OwnCaller {
  return { agent, claims: { ...agent.attributes, ...claims, qm: { agent: agent.attributes, ...facts } } };
}
