import type { AgentRow } from "@/lib/resources/agent";

/** Registered agents of one revision, by name. */
type Agents = ReadonlyMap<string, AgentRow>;

/** The bindings by set of rows. */
const bindingsOf = new WeakMap<Agents, ReadonlyMap<string, AgentRow | "several">>();

/**
 * The agent that a subject of an issuer (its row's name) is bound to; `several` when more than one agent has this binding,
 * `null` when none has. One map lookup for any number of agents.
 */
export function boundAgent(agents: Agents, issuer: string, subject: string): AgentRow | "several" | null {
  const bindings = bindingsOf.get(agents) ?? toBindings(agents);
  bindingsOf.set(agents, bindings);
  return bindings.get(keyOf(issuer, subject)) ?? null;
}

function toBindings(agents: Agents): ReadonlyMap<string, AgentRow | "several"> {
  const bound = new Map<string, AgentRow | "several">();
  for (const row of agents.values()) {
    if (row.issuer === null || row.subject === null) continue;
    const key = keyOf(row.issuer, row.subject);
    bound.set(key, bound.has(key) ? "several" : row);
  }
  return bound;
}

function keyOf(issuer: string, subject: string): string {
  return JSON.stringify([issuer, subject]);
}
