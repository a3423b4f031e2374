import { isSameJson } from "@/lib/access/model/canonical";
import { isObject } from "@/lib/access/model/json";
import { OWN_CAPABILITIES_CLAIM, OWN_ISSUER } from "@/lib/access/model/claims";
import type { Index } from "@/lib/access/compile/compile";
import { MAIN_PROFILE, type Agent, type Issuer, type Json, type JsonObject } from "@/lib/access/model/configuration";
import { inParts, type Parts } from "@/lib/access/model/parts";
import { isStateHeld, requestOf, toRequest, type RequestAnswer } from "@/lib/access/model/request";
import type { ResolveRequest } from "@/lib/access/decide/resolution";

/** A caller as the log records it: its identity, its kept claims, and its request. */
export interface LoggedCaller {
  /** The `iss` and `sub` of the caller's credential. */
  readonly issuer: string;
  readonly subject: string;
  /** Whether Quartermaster issued the token of a connected client, which acts as the request's agent. */
  readonly isOwnToken: boolean;
  readonly claims: JsonObject;
  /** The resolved request. Calls of a session repeat the values that the session was created with. */
  readonly request: Omit<ResolveRequest, "claims">;
  readonly fromSession: boolean;
}

/** The agents and enabled issuers of a configuration, by the identity in a credential. */
export interface Registered {
  readonly index: Index;
  readonly agents: ReadonlyMap<string, Agent>;
  readonly byName: ReadonlyMap<string, Agent>;
  readonly issuers: ReadonlyMap<string, Issuer>;
}

const bindingOf = (issuer: string, subject: string): string => JSON.stringify([issuer, subject]);

function subjectOf({ issuer, name, subject }: Agent): string {
  return issuer === null ? name : (subject ?? name);
}

/** Indexes the agents and issuers of a configuration. In parts, because there may be thousands of agents. */
export function* registeredIn(index: Index): Parts<Registered> {
  const { agents, issuers } = index.config;
  const issuersByName = new Map(issuers.map((issuer) => [issuer.name, issuer]));
  const enabled = new Map(issuers.filter((issuer) => issuer.enabled).map((issuer) => [issuer.issuer, issuer]));
  const bindings = new Map<string, Agent>();
  const byName = new Map<string, Agent>();
  yield* inParts(agents, (agent) => {
    byName.set(agent.name, agent);
    const issuer = agent.issuer === null ? null : issuersByName.get(agent.issuer);
    const iss = issuer === null ? OWN_ISSUER : (issuer?.issuer ?? "");
    // Authentication takes the enabled issuer of this address, and only the agents that are bound to it.
    if ((enabled.get(iss) ?? issuer) === issuer) bindings.set(bindingOf(iss, subjectOf(agent)), agent);
  });
  return { index, agents: bindings, byName, issuers: enabled };
}

/**
 * Builds the request that a logged caller would make now: attributes, persona, profile and machine come from the
 * configuration, the rest from the logged request.
 * `was`, the current configuration, tells a stated value from an assigned one. A credential without a known, enabled
 * agent or issuer is refused.
 * Only authentication itself checks revoked keys, ended connections and issuers that serve no unregistered subjects.
 */
export function requestAgain(side: Registered, was: Registered, caller: LoggedCaller): RequestAnswer {
  const agent = agentOf(side, caller);
  const issuer = issuerOf(side, caller);
  const byKey = caller.issuer === OWN_ISSUER;
  if ((byKey || caller.isOwnToken) && agent === null)
    return refused(`the agent \`${nameOf(caller)}\` does not exist in these rules`);
  if (!byKey && issuer === null) return refused(`there is no enabled issuer \`${caller.issuer}\``);
  if (agent?.enabled === false) return refused(`the agent \`${agent.name}\` is disabled`);
  const assigned = agentOf(was, caller);
  const { group, state, machine, profiles, intent, confidence, escalated } = caller.request;
  // Calls from before labels existed have none.
  const labels = (caller.request.labels as readonly string[] | undefined) ?? [];
  const stated = profiles.filter((name) => name !== assigned?.profile && name !== MAIN_PROFILE);
  return toRequest(
    side.index,
    { claims: claimsOf(caller, agent), agent, issuer },
    {
      group,
      state,
      machine: !caller.fromSession && machine === assigned?.machine ? null : machine,
      profile: stated.at(-1) ?? null,
      intent,
      confidence,
      escalated,
      labels,
      fromSession: caller.fromSession,
    },
  );
}

/** Whether a logged caller names no session where the server keeps the state of the request's machine. */
export function lacksSession(side: Registered, caller: LoggedCaller, { machine }: ResolveRequest): boolean {
  return !caller.fromSession && isStateHeld(agentOf(side, caller), machine);
}

/**
 * Builds the request for everything that a registered agent would make in its own session, as in the preview. It
 * needs no logged call. The claims of a token are unknown, except its issuer, its subject and the agent's attributes.
 */
export function requestOfAgent(side: Registered, name: string): RequestAnswer {
  const agent = side.byName.get(name);
  if (agent === undefined) return refused(`the agent \`${name}\` does not exist in these rules`);
  const registered = side.index.config.issuers.find((issuer) => issuer.name === agent.issuer);
  if (registered?.enabled === false) return refused(`the issuer \`${registered.name}\` is disabled`);
  const issuer = agent.issuer === null ? OWN_ISSUER : (registered?.issuer ?? "");
  const subject = subjectOf(agent);
  return requestAgain(side, side, {
    issuer,
    subject,
    isOwnToken: false,
    claims: { iss: issuer, sub: subject },
    request: EVERYTHING,
    fromSession: true,
  });
}

const { claims: _none, ...EVERYTHING } = requestOf({});

function refused(message: string): RequestAnswer {
  return { ok: false, path: "agent", message };
}

/** The agent that a caller acts as on this side. */
function agentOf(side: Registered, caller: LoggedCaller): Agent | null {
  const found = caller.isOwnToken
    ? side.byName.get(nameOf(caller))
    : side.agents.get(bindingOf(caller.issuer, caller.subject));
  return found ?? null;
}

function nameOf({ isOwnToken, request, subject }: LoggedCaller): string {
  return isOwnToken ? (request.agent ?? "") : subject;
}

function issuerOf(side: Registered, { issuer, isOwnToken }: LoggedCaller): Issuer | null {
  if (isOwnToken) return { name: OWN_ISSUER, enabled: true, issuer, capabilitiesClaim: OWN_CAPABILITIES_CLAIM };
  return side.issuers.get(issuer) ?? null;
}

/** A token carries the attributes in the claim `qm`. For a key they are the claims. For a token of our own, both. */
function claimsOf({ claims, issuer, subject, isOwnToken }: LoggedCaller, agent: Agent | null): JsonObject {
  if (issuer === OWN_ISSUER) return { ...agent?.attributes, sub: subject, iss: issuer };
  const { qm, ...token } = claims;
  if (agent === null) return token;
  if (!isOwnToken) return { ...token, qm: { agent: agent.attributes } };
  const facts = isObject(qm) ? qm : {};
  const own = withoutAttributes(token, isObject(facts["agent"]) ? facts["agent"] : {});
  return { ...agent.attributes, ...own, qm: { ...facts, agent: agent.attributes } };
}

/** The claims of the token itself: without those that the agent's attributes added when the call was logged. */
function withoutAttributes(claims: JsonObject, attributes: JsonObject): JsonObject {
  const added = ([name, value]: [string, Json]) =>
    Object.hasOwn(attributes, name) && isSameJson(value, attributes[name] as Json);
  return Object.fromEntries(Object.entries(claims).filter((entry) => !added(entry)));
}
