import { z } from "zod";
import { flag, instant } from "@/lib/resources/parts/name";

/**
 * Whose bodies to erase: a caller's (by issuer and subject) or an agent's. Covers calls that began in `from <= at <
 * to`; `to` defaults to now, and a later `to` counts as now.
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
      add("agent", "state `agent`, or `issuer` and `subject`, but not both");
    else if (agent === undefined && subject === undefined) add("subject", "state `agent`, or `issuer` and `subject`");
    else if (agent === undefined && issuer === undefined) add("issuer", "state the `issuer` of the subject too");
    if (from !== undefined && to !== undefined && new Date(from) >= new Date(to))
      add("to", "must be later than `from`");
  });

/** `dryRun=true` counts what an erasure would remove, and erases nothing. */
export const erasureQuery = z.strictObject({
  dryRun: flag,
});

/** The result of an erasure, or of a dry run. */
export const erasureOutput = z.object({
  /** The id of the erasure in the changes; `null` in a dry run. */
  id: z.string().nullable(),
  /** The erasure covered calls that began before this time. */
  to: z.iso.datetime(),
  /** The number of calls whose arguments or results were erased, and the number of bodies. */
  calls: z.int(),
  bodies: z.int(),
  /** Sets of claims that no other call uses. */
  claims: z.int(),
  /** Sessions whose question and history were erased. */
  sessions: z.int(),
});

/** Whose bodies to erase, and of which period. */
export type ErasureInput = z.output<typeof erasureInput>;
/** The result of an erasure. */
export type ErasureOutput = z.output<typeof erasureOutput>;
