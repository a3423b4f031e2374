import { z } from "zod";
import { description, jsonObject, meta, slug } from "@/lib/resources/name";

const fields = {
  name: slug,
  description: description.default(""),
  enabled: z.boolean().default(true),
  /** An issuer's name and a subject bind tokens to this agent; both or neither. */
  issuer: slug.nullable().default(null),
  subject: z.string().min(1).max(512).nullable().default(null),
  attributes: jsonObject.default({}),
  persona: slug.nullable().default(null),
  profile: slug.nullable().default(null),
  machine: slug.nullable().default(null),
  stateHeldByServer: z.boolean().default(false),
  limits: z
    .strictObject({
      rate: z
        .strictObject({ points: z.int().min(1), seconds: z.int().min(1).max(86_400) })
        .nullable()
        .default(null),
      perDay: z.int().min(1).nullable().default(null),
      concurrency: z.int().min(1).max(1000).nullable().default(null),
    })
    .default({ rate: null, perDay: null, concurrency: null }),
};

/** A registered agent as an admin writes it. */
export const agentInput = z
  .strictObject(fields)
  .refine((agent) => (agent.issuer === null) === (agent.subject === null), {
    path: ["subject"],
    message: "an agent is bound by `issuer` and `subject` together: state both or neither",
  });

/** A stored agent. */
export const agentRow = z.object({ ...fields, ...meta });

/** An agent, normalised. */
export type AgentInput = z.output<typeof agentInput>;
/** An agent with its revision. */
export type AgentRow = z.output<typeof agentRow>;
