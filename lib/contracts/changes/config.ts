import { z } from "zod";
import { rowDifference } from "@/lib/contracts/changes/revision-diff";
import { flag } from "@/lib/resources/parts/name";

/**
 * `PUT /api/admin/config`: with `dryRun=true` it answers the plan and saves nothing. `mode=replace` makes every stated
 * section equal to the document; `mode=merge` creates and updates, and deletes nothing.
 */
export const configQuery = z.strictObject({
  dryRun: flag,
  mode: z.enum(["replace", "merge"], "use replace or merge").default("replace"),
  /** What the list of revisions says about the change. */
  note: z.string().trim().min(1).max(80).optional(),
});

const problem = z.object({ path: z.string(), message: z.string() });

/** What a document would change, or changed: ids by section, totals, errors and warnings. */
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
  /** The changed rows before and after, at most 200; `sections` names all. */
  differences: z.array(rowDifference),
  errors: z.array(problem),
  warnings: z.array(problem),
  /** The requested mode, or `merge` for a document that can only be merged (TrustGraph). */
  mode: z.enum(["replace", "merge"]),
  /** The revision of the plan. Send it as `If-Match` to apply exactly this plan. */
  basis: z.int(),
  /** The new revision; absent in a dry run. */
  revision: z.int().optional(),
});

/** A plan on the wire. */
export type ConfigPlan = z.output<typeof configPlan>;
