import { hasBit, numbersOf, type Bits } from "@/lib/access/model/bitset";
import { compileGrants } from "@/lib/access/model/capabilities";
import type { Index } from "@/lib/access/compile/compile";
import { MAIN_PROFILE, type Agent } from "@/lib/access/model/configuration";
import { inParts, type Parts } from "@/lib/access/model/parts";
import type { Doubt, Factor } from "@/lib/access/review/doubt";
import { isEverAvailable } from "@/lib/access/review/steps";

/**
 * Compares what the registered agents of both sides bring along: persona, profile, machine, and who holds the state. A
 * new agent, its attributes and its binding are judged by the table of fields (lib/config/review/fields.ts).
 */
export function* compareAgents(before: Index, after: Index, reachable: Bits): Parts<readonly Doubt[]> {
  const doubts: Doubt[] = [];
  const known = new Map(before.config.agents.map((agent) => [agent.name, agent]));
  const personas = { before: personasOf(before), after: personasOf(after) };
  const doubt = (factor: Factor, { name }: Agent) =>
    doubts.push({ factor, rule: name, tools: [], through: [], withheldBy: null, request: {} });
  yield* inParts(after.config.agents, (agent) => {
    const was = known.get(agent.name);
    if (was === undefined || !agent.enabled) return;
    if (!was.enabled) return void doubt("agent", agent);
    if (!coversCapabilities(capabilitiesOf(was, personas.before), capabilitiesOf(agent, personas.after)))
      doubt("capability", agent);
    if (!isProfileNarrower(before, after, was, agent, reachable)) doubt("profile", agent);
    if (!isMachineNarrower(before, after, was, agent, reachable)) doubt("state", agent);
  });
  return doubts;
}

type Capabilities = readonly string[] | "claims";

const personasOf = ({ config }: Index) => new Map(config.personas.map((one) => [one.name, one.capabilities]));

/** The persona's capabilities; without a persona, those that the issuer's tokens claim. A key has no such claim. */
function capabilitiesOf({ persona, issuer }: Agent, personas: ReadonlyMap<string, readonly string[]>): Capabilities {
  if (persona !== null) return personas.get(persona) ?? [];
  return issuer === null ? [] : "claims";
}

function coversCapabilities(wide: Capabilities, narrow: Capabilities): boolean {
  if (wide === "claims" || narrow === "claims") return wide === narrow || narrow.length === 0;
  const covers = compileGrants(wide);
  const prefixes = wide.flatMap((grant) => (/[.:]\*$/.test(grant) ? [grant.slice(0, -1)] : []));
  return narrow.every((grant) => {
    if (wide.includes(grant) || wide.includes("*")) return true;
    if (grant === "*") return false;
    // A grant with a wildcard covers everything below its prefix, and its own text.
    return /[.:]\*$/.test(grant) ? prefixes.some((prefix) => grant.startsWith(prefix)) : covers(grant);
  });
}

function isProfileNarrower(before: Index, after: Index, was: Agent, is: Agent, reachable: Bits): boolean {
  if (was.profile === is.profile) return true;
  const [had, has] = [before.profiles(was.profile ?? MAIN_PROFILE), after.profiles(is.profile ?? MAIN_PROFILE)];
  if (had.open) return true;
  return numbersOf(reachable).every((number) => {
    if (!hasBit(has.allowed, number) || !hasBit(has.reviewed, number)) return true;
    const old = before.tools.numberOf.get(after.tools.all[number]?.id ?? "");
    return old !== undefined && hasBit(had.allowed, old) && hasBit(had.reviewed, old);
  });
}

/** An agent without a machine chooses machine and state, so assigning one narrows, unless it shows a hidden tool. */
function isMachineNarrower(before: Index, after: Index, was: Agent, is: Agent, reachable: Bits): boolean {
  if (was.stateHeldByServer && !is.stateHeldByServer) return false;
  if (was.machine === is.machine) return true;
  if (was.machine !== null || is.machine === null) return false;
  return numbersOf(reachable).every((number) => {
    const tool = after.tools.all[number];
    if (tool === undefined || !isEverAvailable(after, is.machine, tool)) return true;
    const old = before.tools.all[before.tools.numberOf.get(tool.id) ?? -1];
    return old !== undefined && isEverAvailable(before, null, old);
  });
}
