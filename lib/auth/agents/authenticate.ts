import { oncePer } from "@/lib/access/model/once-per";
import type { JsonObject } from "@/lib/access/model/configuration";
import { boundAgent } from "@/lib/auth/agents/bindings";
import { readBearer } from "@/lib/auth/agents/bearer";
import { clientOf, OWN_ISSUER } from "@/lib/access/model/claims";
import type { Caller, Registry } from "@/lib/auth/agents/caller";
import type { IssuerKeys } from "@/lib/auth/agents/issuer-keys";
import { isGrantKnown, ownCaller, ownIssuer } from "@/lib/auth/agents/own-issuer";
import { ignoreChecks, type CheckReporter } from "@/lib/auth/agents/check-reporter";
import { refuseCredential } from "@/lib/auth/agents/refusal";
import type { VerifyApiKey } from "@/lib/auth/agents/remembered-keys";
import { isRevoked } from "@/lib/auth/agents/revoked";
import { verifyToken } from "@/lib/auth/agents/token";
import type { AgentRow } from "@/lib/resources/agent";
import type { IssuerRow } from "@/lib/resources/issuer";

/** The inputs of authentication. Tests supply their own clock and registry. */
export interface AgentSources {
  readonly registry: () => Promise<Registry>;
  /** The registry of the store's present revision; absent = `registry` never lags behind. */
  readonly newestRegistry?: () => Promise<Registry>;
  /** Verifies a key as of the registry's revision or a later one. */
  readonly verifyApiKey: VerifyApiKey;
  readonly keys: IssuerKeys;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/**
 * Authenticates an agent by API key or by an issuer's token (docs/reference/http.md#authentication). Reads issuer, agent
 * and key for each request, so that a disabled or revoked one is refused at once.
 *
 * @throws AppError `unauthenticated` with a `WWW-Authenticate` challenge; `config_unavailable`
 */
export function authenticateAgent(sources: AgentSources): (request: Request) => Promise<Caller> {
  return async (request) => {
    const bearer = readBearer(request);
    if (bearer.startsWith("qmp_"))
      throw refuseCredential(
        "Personal access tokens work only for the admin API: use an API key or a token of a configured issuer.",
      );
    return authenticateBearer(bearer, await sources.registry(), sources);
  };
}

/** Authenticates the holder of an API key or token under a registry. @throws AppError `unauthenticated`, `config_unavailable` */
export function authenticateBearer(bearer: string, registry: Registry, sources: AgentSources): Promise<Caller> {
  return bearer.startsWith("qm_") ? byApiKey(bearer, registry, sources) : byToken(bearer, registry, sources);
}

async function byApiKey(bearer: string, registry: Registry, sources: AgentSources): Promise<Caller> {
  const { keyId, agent } = await sources.verifyApiKey(bearer, registry, sources.now());
  return holderOf({ keyId, agent, bearer }, registry);
}

function holderOf(key: { keyId: string; agent: string; bearer: string }, registry: Registry): Caller {
  const { keyId, agent, bearer } = key;
  const found = registry.agents.get(agent);
  if (found === undefined) throw refuseCredential("The API key is not valid.");
  requireEnabled(found);
  return {
    claims: claimsOf(found),
    agent: found,
    issuer: null,
    principal: { issuer: OWN_ISSUER, subject: found.name, agent: found.name, client: null },
    credential: { kind: "api_key", keyId },
    bearer,
    revision: registry.revision,
  };
}

/** Longest id of a token's client, in characters. The address of a client document is such an id. */
const MAX_CLIENT = 2_048;

/** One claims object per row. Caches, such as the one of matching policies, use its identity. */
const claimsOf = oncePer((row: AgentRow): JsonObject => ({ ...row.attributes, sub: row.name, iss: OWN_ISSUER }));

/**
 * Authenticates the holder of a token: verifies it, checks that it is not revoked, and finds its agent.
 *
 * @param report called with each check
 * @throws AppError `unauthenticated`, `config_unavailable`
 */
export async function byToken(
  bearer: string,
  registry: Registry,
  { keys, now, newestRegistry }: Pick<AgentSources, "keys" | "now" | "newestRegistry">,
  report: CheckReporter = ignoreChecks,
): Promise<Caller> {
  const token = await verifyToken(bearer, registry, keys, now(), report);
  const isNew = token.issuer === ownIssuer(registry) && !isGrantKnown(token.claims, registry);
  const current = isNew && newestRegistry !== undefined ? await newestRegistry() : registry;
  return toCaller({ ...token, bearer }, current, now(), report);
}

/** A verified token and its claims. */
interface Verified {
  readonly claims: JsonObject;
  readonly issuer: IssuerRow;
  readonly subject: string;
  readonly jti: string | null;
  readonly expiresAt: number;
  readonly bearer: string;
}

function toCaller(token: Verified, registry: Registry, now: number, report: CheckReporter): Caller {
  const { issuer, subject, jti, expiresAt, bearer } = token;
  report("revocation", () => (jti === null ? "Without `jti` and `iat` it cannot be." : "By issuer and token id."));
  if (isRevoked(registry, issuer.issuer, jti, now))
    throw refuseCredential("The token has been revoked.", undefined, { owner: subject });
  const isOwn = issuer === ownIssuer(registry);
  if (isOwn) report("agent", () => "Its connection or its client acts as an agent.");
  const { claims, agent: found } = isOwn ? ownCaller(token.claims, registry) : foreignCaller(token, registry, report);
  if (isOwn) report("agent", () => `Its connection acts as the agent \`${found?.name}\`.`);
  if (found !== null) requireEnabled(found);
  return {
    claims,
    ...(isOwn && { tokenClaims: token.claims }),
    agent: found,
    issuer,
    principal: { issuer: issuer.issuer, subject, agent: found?.name ?? null, client: boundClient(token.claims) },
    credential: { kind: "jwt", jti, expiresAt },
    bearer,
    revision: registry.revision,
  };
}

/** The agent that a foreign issuer's subject is bound to, and the claims with its attributes. */
function foreignCaller(
  { issuer, subject, claims }: Verified,
  registry: Registry,
  report: CheckReporter,
): Pick<Caller, "agent" | "claims"> {
  const agent = findBound(registry, issuer, subject, report);
  if (agent === null && !issuer.allowUnregistered)
    throw refuseCredential(
      "The token's issuer serves registered agents only, and no agent is bound to the token's subject.",
    );
  return { agent, claims: withAttributes(claims, agent) };
}

/**
 * Authenticates the caller of an earlier accepted call again, with its present agent and issuer. A token that has expired
 * since is still valid, because the call was accepted before. A revocation that was in force when the token expired stays
 * in force.
 *
 * @throws AppError `unauthenticated`
 */
export function reauthenticate(earlier: Caller, registry: Registry, now: number): Caller {
  const { credential, principal, bearer, claims, tokenClaims = claims } = earlier;
  if (credential.kind === "api_key")
    return holderOf({ keyId: credential.keyId, agent: principal.agent ?? "", bearer }, registry);
  if (credential.kind === "trial") throw refuseCredential("A trial has no credential to come back with.");
  const own = ownIssuer(registry);
  const issuer = own?.issuer === principal.issuer ? own : registry.issuers.get(earlier.issuer?.name ?? "");
  if (issuer === undefined || !issuer.enabled || issuer.issuer !== principal.issuer)
    throw refuseCredential("The token's issuer is no longer trusted.");
  const { jti, expiresAt } = credential;
  const at = Math.min(now, expiresAt);
  const token = { claims: tokenClaims, issuer, subject: principal.subject, jti, expiresAt, bearer };
  return toCaller(token, registry, at, ignoreChecks);
}

function findBound(registry: Registry, issuer: IssuerRow, subject: string, report: CheckReporter): AgentRow | null {
  const found = boundAgent(registry.agents, issuer.name, subject);
  report("agent", () => describeBinding(found, issuer));
  if (found === "several") throw refuseCredential("The token's subject is bound to more than one agent.");
  return found;
}

function describeBinding(found: AgentRow | "several" | null, issuer: IssuerRow): string {
  if (found === "several") return "Several agents are bound to its subject.";
  if (found !== null)
    return `Its subject is bound to the agent \`${found.name}\`, which is ${found.enabled ? "enabled" : "disabled"}.`;
  return `No agent is bound to its subject; unregistered subjects are ${issuer.allowUnregistered ? "served by their claims" : "not served"}.`;
}

function requireEnabled(row: AgentRow): void {
  if (row.enabled) return;
  const { disabledReason } = row;
  const message = disabledReason === null ? "The agent is disabled." : `The agent is disabled: ${disabledReason}`;
  throw refuseCredential(message, undefined, { owner: row.name, disabled: { reason: disabledReason } });
}

/** The OAuth client of a token, bounded. */
function boundClient(claims: JsonObject): string | null {
  const name = clientOf(claims);
  if (name !== null && name.length > MAX_CLIENT)
    throw refuseCredential(`The token's client id must be text of at most ${MAX_CLIENT} characters.`);
  return name;
}

/** Removes the token's own `qm` claim, which policies would read as attributes that an admin set. */
function withAttributes(claims: JsonObject, row: AgentRow | null): JsonObject {
  const own = Object.fromEntries(Object.entries(claims).filter(([name]) => name !== "qm"));
  return row === null ? own : { ...own, qm: { agent: row.attributes } };
}
