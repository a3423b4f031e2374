import { z } from "zod";
import { flag } from "@/lib/resources/parts/name";

/** The query of `POST`, `PUT` and `DELETE` of a row: with `dryRun=true` they answer a plan and save nothing. */
export const saveQuery = z.strictObject({
  dryRun: flag,
});

/** The query of `PUT` of a row. */
export const replaceQuery = saveQuery.extend({
  /** Whether the rows that name a renamed group or persona get its new name; otherwise a rename in use is refused. */
  followRename: flag,
});

/** A warning, at its path in the whole configuration: `assertions[staff see the menu]`. */
export const warning = z.object({ path: z.string(), message: z.string() });

/** A row of `resource`, or the `settings`, that names the planned row, and the path of the field that names it. */
const rowUser = z.object({ resource: z.string(), id: z.string(), path: z.string() });

/**
 * The plan for saving one row: errors at its fields, warnings about the result, and the users of a row to delete or rename.
 * With errors, the users block the save, as in an `in_use` error. Without errors, they get the new name.
 */
export const rowPlan = z.object({
  errors: z.array(warning),
  users: z.array(rowUser),
  warnings: z.array(warning),
  /** Why the save would wait for a second person; `null` when it would not, or would be refused. */
  review: z
    .object({
      sentence: z.string(),
      /** Whether the caller could apply it without review, in an emergency. */
      mayBypass: z.boolean(),
    })
    .nullable(),
});

/** The warnings after saving a row: assertions that no longer hold. Absent: none. */
export const saved = z.object({ warnings: z.array(warning).optional() });

/** One warning. */
export type Warning = z.output<typeof warning>;
/** One user of a row. */
export type RowUser = z.output<typeof rowUser>;
/** The plan for saving one row. */
export type RowPlan = z.output<typeof rowPlan>;
