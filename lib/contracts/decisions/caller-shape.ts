import { z } from "zod";

/** A caller in an answer: one persona, one registered agent, or one caller of the log. */
export const callerShape = {
  kind: z.enum(["persona", "agent", "caller"]),
  /** The persona's or the agent's name, or the subject. */
  name: z.string(),
  /** The caller's issuer; `null` for a persona. */
  issuer: z.string().nullable(),
  /** The caller's latest call, whose inputs the preview can load; `null` without a call in the log. */
  callId: z.string().nullable(),
};
