import { requestOf } from "@/lib/access/model/request";
import { OWN_ISSUER } from "@/lib/access/model/claims";
import type { Index } from "@/lib/access/compile/compile";
import { MAIN_PROFILE, type Agent, type Issuer, type JsonObject } from "@/lib/access/model/configuration";
import { inParts, type Parts } from "@/lib/access/model/parts";
import { toRequest, type RequestAnswer } from "@/lib/access/model/request";
import type { ResolveRequest } from "@/lib/access/decide/resolution";

/** A caller as the log records it: its identity, its kept claims, and its request. */
export interface LoggedCaller {
  /** The `iss` and `sub` of the caller's credential. */
  readonly issuer: string;
  readonly subject: string;
  readonly claims: JsonObject;
  /** The resolved request. Calls of a session repeat the values that the session was created with. */
  readonly request: Omit<ResolveRequest, "claims">;
  readonly fromSession: boolean;
}

/** The agents and issuers of a configuration, by the identity in a credential. */
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
  const bindings = new Map<string, Agent>();
  const byName = new Map<string, Agent>();
  yield* inParts(agents, (agent) => {
    const issuer = agent.issuer === null ? OWN_ISSUER : (issuersByName.get(agent.issuer)?.issuer ?? "");
    bindings.set(bindingOf(issuer, subjectOf(agent)), agent);
    byName.set(agent.name, agent);
  });
  return {
    index,
    agents: bindings,
    byName,
    issuers: new Map(issuers.map((issuer) => [issuer.issuer, issuer])),
  };
}

/**
 * Builds the request that a logged caller would make now: attributes, persona, profile and machine come from the
 * configuration, the rest from the logged request.
 * `was`, the current configuration, tells a stated value from an assigned one. A credential without a known, enabled
 * agent or issuer is refused.
 * Only authentication itself checks revoked keys and issuers that serve no unregistered subjects.
 */
export function requestAgain(side: Registered, was: Registered, caller: LoggedCaller): RequestAnswer {
  const binding = bindingOf(caller.issuer, caller.subject);
  const agent = side.agents.get(binding) ?? null;
  const issuer = side.issuers.get(caller.issuer) ?? null;
  const own = caller.issuer === OWN_ISSUER;
  if (own && agent === null) return refused(`the agent \`${caller.subject}\` does not exist in these rules`);
  if (!own && issuer === null) return refused(`there is no issuer \`${caller.issuer}\``);
  if (agent?.enabled === false) return refused(`the agent \`${agent.name}\` is disabled`);
  const assigned = was.agents.get(binding) ?? null;
  const { group, state, machine, profiles, intent, confidence, escalated } = caller.request;
  // Calls from before labels existed have none.
  const labels = (caller.request.labels as readonly string[] | undefined) ?? [];
  const stated = profiles.filter((name) => name !== assigned?.profile && name !== MAIN_PROFILE);
  return toRequest(
    side.index,
    { claims: claimsOf(caller, agent, own), agent, issuer },
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

/**
 * Builds the request for everything that a registered agent would make in its own session, as in the preview. It
 * needs no logged call. The claims of a token are unknown, except its issuer, its subject and the agent's attributes.
 */
export function requestOfAgent(side: Registered, name: string): RequestAnswer {
  const agent = side.byName.get(name);
  if (agent === undefined) return refused(`the agent \`${name}\` does not exist in these rules`);
  const registered = side.index.config.issuers.find((issuer) => issuer.name === agent.issuer);
  const issuer = agent.issuer === null ? OWN_ISSUER : (registered?.issuer ?? "");
  const subject = subjectOf(agent);
  return requestAgain(side, side, {
    issuer,
    subject,
    claims: { iss: issuer, sub: subject },
    request: EVERYTHING,
    fromSession: true,
  });
}

const { claims: _none, ...EVERYTHING } = requestOf({});

function refused(message: string): RequestAnswer {
  return { ok: false, path: "agent", message };
}

/** A token carries the attributes in the claim `qm`. For a key the attributes are the claims. */
function claimsOf({ claims, issuer, subject }: LoggedCaller, agent: Agent | null, own: boolean): JsonObject {
  if (own) return { ...agent?.attributes, sub: subject, iss: issuer };
  const { qm: _attributes, ...token } = claims;
  return agent === null ? token : { ...token, qm: { agent: agent.attributes } };
}
