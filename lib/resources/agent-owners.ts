import type { AgentRow } from "@/lib/resources/agent";
import type { Role } from "@/lib/resources/permissions";

/** A person who wants to connect a client as an agent. */
interface Owner {
  readonly name: string;
  readonly role: Role;
  /** Groups of the OpenID provider. */
  readonly groups: readonly string[];
}

/** Whether a person may connect clients as this agent: an owner, or an admin. */
export function mayActAs(person: Owner, agent: Pick<AgentRow, "owners" | "ownerGroups">): boolean {
  if (person.role === "admin" || agent.owners.includes(person.name)) return true;
  return agent.ownerGroups.some((group) => person.groups.includes(group));
}
