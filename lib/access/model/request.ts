import { isProblem } from "@/lib/access/model/problem";
import { boundClaims, parseClaimPath, readClaim } from "@/lib/access/model/claims";
import { isList } from "@/lib/access/model/json";
import type { Index } from "@/lib/access/compile/compile";
import { MAIN_PROFILE, type Agent, type Issuer, type JsonObject } from "@/lib/access/model/configuration";
import { profileNames } from "@/lib/access/compile/profiles";
import type { ResolveRequest } from "@/lib/access/decide/resolution";
import { scopeWords } from "@/lib/access/matching/claim-tests";

/** The caller, as authentication or a preview established it. */
export interface RequestCaller {
  readonly claims: JsonObject;
  /** The registered agent, or `null`. */
  readonly agent: Agent | null;
  /** The issuer of the token; `null` for API keys and free claims. */
  readonly issuer: Issuer | null;
}

/** The values that a request states; `null` = not stated. Only previews and sessions set the optional fields. */
export interface StatedRequest {
  readonly group: readonly string[] | null;
  readonly state: string | null;
  readonly machine: string | null;
  readonly profile: string | null;
  readonly intent: string | null;
  readonly confidence: number | null;
  readonly escalated?: boolean;
  readonly persona?: string | null;
  readonly capabilities?: readonly string[] | null;
  readonly includeDisabled?: boolean;
  /** The labels that the caller holds; absent = none. The server states them. */
  readonly labels?: readonly string[];
  /** The state comes from a session, which the server holds. The machine was chosen when the session was created. */
  readonly fromSession?: boolean;
}

/** A complete request, or the first field that is not allowed and the reason. */
export type RequestAnswer =
  | { readonly ok: true; readonly request: ResolveRequest }
  | { readonly ok: false; readonly path: string; readonly message: string };

type Refused = Extract<RequestAnswer, { ok: false }>;

const refuse = (path: string, message: string): Refused => ({ ok: false, path, message });

/**
 * Combines the stated and the assigned values (docs/reference/decision.md#inputs). Refuses an unknown profile, persona
 * or machine: it must never mean "no limit".
 */
export function toRequest(index: Index, caller: RequestCaller, stated: StatedRequest): RequestAnswer {
  const refused =
    checkClaims(caller) ??
    checkMachine(index, caller, stated) ??
    checkState(caller, stated) ??
    checkProfile(caller, stated);
  if (refused !== null) return refused;
  const capabilities = capabilitiesOf(index, caller, stated);
  if (!isList(capabilities)) return capabilities;
  const confidence = stated.confidence;
  if (confidence !== null && !(confidence >= 0 && confidence <= 1))
    return refuse("confidence", "must be between 0 and 1");
  return {
    ok: true,
    request: {
      claims: caller.claims,
      agent: caller.agent?.name ?? null,
      group: stated.group,
      state: stated.state,
      machine: machineOf(caller, stated),
      profiles: profilesOf(caller.agent?.profile ?? null, stated.profile),
      capabilities,
      intent: stated.intent,
      confidence,
      escalated: stated.escalated ?? false,
      labels: stated.labels ?? [],
      includeDisabled: stated.includeDisabled ?? false,
    },
  };
}

/** The assigned and the stated profile; the main one without either. */
function profilesOf(assigned: string | null, stated: string | null): readonly string[] {
  if (assigned === null) return [stated ?? MAIN_PROFILE];
  return stated === null || stated === assigned ? [assigned] : [assigned, stated];
}

function checkClaims({ claims }: RequestCaller): Refused | null {
  const problem = boundClaims(claims);
  return problem === null ? null : refuse("claims", problem.problem);
}

/** Whether the server holds the state of a machine: of every named one, unless the agent may state it. */
export function isStateHeld(agent: Pick<Agent, "stateHeldByServer"> | null, machine: string | null): boolean {
  return machine !== null && agent?.stateHeldByServer !== false;
}

function checkState(caller: RequestCaller, stated: StatedRequest): Refused | null {
  if (stated.state === null || stated.fromSession === true) return null;
  if (!isStateHeld(caller.agent, machineOf(caller, stated))) return null;
  return refuse("state", "the server keeps the state of a named machine: create a session and omit the state");
}

function checkMachine(index: Index, { agent }: RequestCaller, { machine, fromSession }: StatedRequest): Refused | null {
  const assigned = agent?.machine ?? null;
  if (assigned !== null && machine !== null && machine !== assigned && fromSession !== true)
    return refuse("machine", `this agent is assigned the machine \`${assigned}\`: omit the machine`);
  for (const name of [assigned, machine])
    if (name !== null && !index.machines.has(name)) return refuse("machine", `there is no machine \`${name}\``);
  return null;
}

/** A session keeps its machine. Otherwise the assigned machine applies. */
function machineOf({ agent }: RequestCaller, { machine, fromSession }: StatedRequest): string | null {
  return fromSession === true && machine !== null ? machine : (agent?.machine ?? machine);
}

function checkProfile({ agent }: RequestCaller, { profile }: StatedRequest): Refused | null {
  for (const name of [agent?.profile ?? null, profile])
    if (name !== null && !profileNames.includes(name))
      return refuse("profile", `there is no profile \`${name}\`: use one of ${profileNames.join(", ")}`);
  return null;
}

/** The preview's capabilities, else those of the preview's or agent's persona, else the issuer's claim, else none. */
function capabilitiesOf(index: Index, caller: RequestCaller, stated: StatedRequest): readonly string[] | Refused {
  if (stated.capabilities !== undefined && stated.capabilities !== null) return stated.capabilities;
  const name = stated.persona ?? caller.agent?.persona ?? null;
  if (name === null) return claimedCapabilities(caller);
  const persona = index.config.personas.find((candidate) => candidate.name === name);
  return persona === undefined ? refuse("persona", `there is no persona \`${name}\``) : persona.capabilities;
}

/** The capabilities in a caller's claims: a list of texts, or a scope string. Any other value grants nothing. */
export function claimedCapabilities({ claims, issuer }: Pick<RequestCaller, "claims" | "issuer">): readonly string[] {
  if (issuer === null) return [];
  const path = parseClaimPath(issuer.capabilitiesClaim ?? "");
  if (isProblem(path)) return [];
  const claim = readClaim(claims, path);
  if (typeof claim === "string") return scopeWords(claim);
  if (claim === undefined || claim === null || !isList(claim)) return [];
  return claim.filter((entry) => typeof entry === "string");
}

/** A request of a caller with these claims and nothing else. */
export function requestOf(claims: JsonObject): ResolveRequest {
  return {
    claims,
    agent: null,
    group: null,
    state: null,
    machine: null,
    profiles: [],
    capabilities: [],
    intent: null,
    confidence: null,
    escalated: false,
    labels: [],
    includeDisabled: false,
  };
}
