import { oncePer } from "@/lib/access/model/once-per";
import type { AgentRow } from "@/lib/resources/agent";

/** Registered agents of one revision, by name. */
type Agents = ReadonlyMap<string, AgentRow>;

/**
 * The agent that a subject of an issuer (its row's name) is bound to; `several` when more than one agent has this binding,
 * `null` when none has. One map lookup for any number of agents.
 */
export function boundAgent(agents: Agents, issuer: string, subject: string): AgentRow | "several" | null {
  return bindingsOf(agents).get(keyOf(issuer, subject)) ?? null;
}

const bindingsOf = oncePer((agents: Agents): ReadonlyMap<string, AgentRow | "several"> => {
  const bound = new Map<string, AgentRow | "several">();
  for (const row of agents.values()) {
    if (row.issuer === null || row.subject === null) continue;
    const key = keyOf(row.issuer, row.subject);
    bound.set(key, bound.has(key) ? "several" : row);
  }
  return bound;
});

function keyOf(issuer: string, subject: string): string {
  return JSON.stringify([issuer, subject]);
}
