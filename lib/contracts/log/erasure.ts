import { z } from "zod";
import { flag, instant } from "@/lib/resources/parts/name";

/**
 * Whose bodies are erased: a caller's by issuer and subject, or an agent's; of calls that began in `from <= at < to`,
 * `to` being now unless stated.
 */
export const erasureInput = z
  .strictObject({
    issuer: z.string().min(1).max(512).optional(),
    subject: z.string().min(1).max(512).optional(),
    agent: z.string().min(1).max(200).optional(),
    from: instant.optional(),
    to: instant.optional(),
  })
  .superRefine(({ issuer, subject, agent, from, to }, context) => {
    const add = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
    if (agent !== undefined && (issuer ?? subject) !== undefined)
      add("agent", "say whose by `agent`, or by `issuer` and `subject`, not by both");
    else if (agent === undefined && subject === undefined)
      add("subject", "say whose: `issuer` and `subject`, or `agent`");
    else if (agent === undefined && issuer === undefined)
      add("issuer", "a subject is one only together with its `issuer`");
    if (from !== undefined && to !== undefined && new Date(from) >= new Date(to))
      add("to", "must be later than `from`");
  });

/** `dryRun=true` counts what would be erased, and erases nothing. */
export const erasureQuery = z.strictObject({
  dryRun: flag,
});

/** What was erased, or in a dry run what would be. */
export const erasureOutput = z.object({
  /** The id under which the changes have it; `null` in a dry run, and when there was nothing. */
  id: z.string().nullable(),
  /** Calls that began before this were looked at. */
  to: z.iso.datetime(),
  /** Calls whose arguments or results went, and how many bodies that was. */
  calls: z.int(),
  bodies: z.int(),
  /** Sets of claims that no other call is decided on. */
  claims: z.int(),
  /** Sessions whose question and history went. */
  sessions: z.int(),
});

/** Whose bodies, of which time. */
export type ErasureInput = z.output<typeof erasureInput>;
/** What was erased. */
export type ErasureOutput = z.output<typeof erasureOutput>;
