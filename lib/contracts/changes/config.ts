import { z } from "zod";
import { flag } from "@/lib/resources/parts/name";

/**
 * `PUT /api/admin/config`: with `dryRun=true` it answers the plan and saves nothing. `mode=replace` makes every
 * stated section what the document says; `mode=merge` adds and alters, and deletes nothing.
 */
export const configQuery = z.strictObject({
  dryRun: flag,
  mode: z.enum(["replace", "merge"], "use replace or merge").default("replace"),
});

const problem = z.object({ path: z.string(), message: z.string() });

/** What a document would do, or did: ids by section, totals, what refuses it and what is only suspicious. */
export const configPlan = z.object({
  sections: z.record(
    z.string(),
    z.object({
      created: z.array(z.string()),
      changed: z.array(z.string()),
      deleted: z.array(z.string()),
      unchanged: z.int(),
    }),
  ),
  created: z.int(),
  changed: z.int(),
  deleted: z.int(),
  unchanged: z.int(),
  errors: z.array(problem),
  warnings: z.array(problem),
  /** What was asked for, or `merge` for a document that can only be merged (TrustGraph). */
  mode: z.enum(["replace", "merge"]),
  /** The revision that it was planned on: send it as `If-Match` to apply exactly this plan. */
  basis: z.int(),
  /** The revision that it is now; absent in a dry run. */
  revision: z.int().optional(),
});

/** A plan on the wire. */
export type ConfigPlan = z.output<typeof configPlan>;
