import { z } from "zod";
import { callLimits } from "@/lib/resources/parts/limits";
import { UNLIMITED } from "@/lib/resources/parts/no-limits";
import { description, disabledReason, dropStaleReason, jsonObject, meta, slug } from "@/lib/resources/parts/name";
import { origin } from "@/lib/resources/parts/origin";
import type { Role } from "@/lib/resources/permissions";

const fields = {
  name: slug,
  description: description.default(""),
  enabled: z.boolean().default(true),
  disabledReason,
  /** An issuer's name and a subject bind tokens to this agent: set both or neither. */
  issuer: slug.nullable().default(null),
  subject: z.string().min(1).max(512).nullable().default(null),
  attributes: jsonObject.default({}),
  persona: slug.nullable().default(null),
  profile: slug.nullable().default(null),
  machine: slug.nullable().default(null),
  stateHeldByServer: z.boolean().default(true),
  /** Limits over all calls of this agent. */
  limits: callLimits.default(UNLIMITED),
  /** Allowed origins of the `callback_url` of the agent's calls; an empty list allows none. */
  callbackOrigins: z.array(origin).max(20).default([]),
  /** The people who may connect MCP clients as this agent; admins may connect them as any agent. */
  owners: z.array(slug).max(100).default([]),
  /** Groups of the OpenID provider whose members may connect MCP clients as this agent. */
  ownerGroups: z.array(z.string().min(1).max(200)).max(100).default([]),
};

/** A registered agent as an admin writes it. */
export const agentInput = z
  .strictObject(fields)
  .overwrite(dropStaleReason)
  .refine((agent) => (agent.issuer === null) === (agent.subject === null), {
    path: ["subject"],
    message: "an agent is bound by `issuer` and `subject` together: state both or neither",
  });

/** A stored agent. */
export const agentRow = z.object({ ...fields, ...meta });

/** An agent with its revision. */
export type AgentRow = z.output<typeof agentRow>;

/** A person who wants to connect a client as an agent. */
interface ConnectingPerson {
  readonly name: string;
  readonly role: Role;
  /** Groups of the OpenID provider. */
  readonly groups: readonly string[];
}

/** Whether a person may connect clients as this agent: an owner, or an admin. */
export function mayActAs(person: ConnectingPerson, agent: Pick<AgentRow, "owners" | "ownerGroups">): boolean {
  if (person.role === "admin" || agent.owners.includes(person.name)) return true;
  return agent.ownerGroups.some((group) => person.groups.includes(group));
}
