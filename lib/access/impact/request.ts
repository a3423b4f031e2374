import type { Index } from "@/lib/access/compile/compile";
import { MAIN_PROFILE, type Agent, type Issuer, type JsonObject } from "@/lib/access/model/configuration";
import { toRequest, type RequestAnswer } from "@/lib/access/model/request";
import type { ResolveRequest } from "@/lib/access/decide/resolution";

/** A caller as the log knows it: who it is, the claims that are kept of it, and what it asked for. */
export interface LoggedCaller {
  /** The `iss` and `sub` that it called with. */
  readonly issuer: string;
  readonly subject: string;
  readonly claims: JsonObject;
  /** As it was resolved; a session's calls ask for what the session was made with. */
  readonly request: Omit<ResolveRequest, "claims">;
  readonly fromSession: boolean;
}

/** Who is registered in a configuration, by what a credential says. */
export interface Registered {
  readonly index: Index;
  readonly agents: ReadonlyMap<string, Agent>;
  readonly issuers: ReadonlyMap<string, Issuer>;
}

/** The `iss` of callers that come with an API key (docs/reference/http.md#authentication). */
const OWN_ISSUER = "quartermaster";

const bindingOf = (issuer: string, subject: string): string => JSON.stringify([issuer, subject]);

/** Looks up once who is registered in a configuration. */
export function registeredIn(index: Index): Registered {
  const { agents, issuers } = index.config;
  const byName = new Map(issuers.map((issuer) => [issuer.name, issuer]));
  const bindings = agents.map((agent) => {
    const issuer = agent.issuer === null ? OWN_ISSUER : (byName.get(agent.issuer)?.issuer ?? "");
    return [bindingOf(issuer, agent.issuer === null ? agent.name : (agent.subject ?? agent.name)), agent] as const;
  });
  return {
    index,
    agents: new Map(bindings),
    issuers: new Map(issuers.map((issuer) => [issuer.issuer, issuer])),
  };
}

/**
 * What a logged caller would ask for today, as the agent door would put it together: its agent's attributes,
 * persona, profile and machine are the configuration's, the rest is what it asked for then. What it stated
 * beside an assignment is told from the assignment by `was`, the configuration that is in force.
 *
 * A credential that would not open the door is refused too; whether an issuer serves unregistered subjects
 * and whether a key is revoked are the door's alone.
 */
export function requestAgain(side: Registered, was: Registered, caller: LoggedCaller): RequestAnswer {
  const binding = bindingOf(caller.issuer, caller.subject);
  const agent = side.agents.get(binding) ?? null;
  const issuer = side.issuers.get(caller.issuer) ?? null;
  const own = caller.issuer === OWN_ISSUER;
  if (own && agent === null) return refused(`there is no agent \`${caller.subject}\``);
  if (!own && issuer === null) return refused(`there is no issuer \`${caller.issuer}\``);
  if (agent?.enabled === false) return refused(`the agent \`${agent.name}\` is disabled`);
  const assigned = was.agents.get(binding) ?? null;
  const { group, state, machine, profiles, intent, confidence, escalated } = caller.request;
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
      fromSession: caller.fromSession,
    },
  );
}

function refused(message: string): RequestAnswer {
  return { ok: false, path: "agent", message };
}

/** With a token the attributes are one claim of it, under a name that is ours; with a key they are the claims. */
function claimsOf({ claims, issuer, subject }: LoggedCaller, agent: Agent | null, own: boolean): JsonObject {
  if (own) return { ...agent?.attributes, sub: subject, iss: issuer };
  const { qm: _attributes, ...token } = claims;
  return agent === null ? token : { ...token, qm: { agent: agent.attributes } };
}
