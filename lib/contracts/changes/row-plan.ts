import { z } from "zod";
import { flag } from "@/lib/resources/parts/name";

/** The query of `POST`, `PUT` and `DELETE` of a row: with `dryRun=true` they answer a plan and save nothing. */
export const saveQuery = z.strictObject({
  dryRun: flag,
});

/** Something suspicious, at its place in the whole configuration: `assertions[staff see the menu]`. */
export const warning = z.object({ path: z.string(), message: z.string() });

/** What uses a row, and at which of its fields: a row of `resource`, or the `settings`. */
export const rowUser = z.object({ resource: z.string(), id: z.string(), path: z.string() });

/**
 * What saving one row would be refused for, at its fields; what still uses a row that would go or lose its name (as an
 * `in_use` error names it); and what would be suspicious afterwards.
 */
export const rowPlan = z.object({ errors: z.array(warning), users: z.array(rowUser), warnings: z.array(warning) });

/** What a row's answer says besides the row: assertions that do not hold any more. Absent: none. */
export const saved = z.object({ warnings: z.array(warning).optional() });

/** One warning. */
export type Warning = z.output<typeof warning>;
/** One user of a row. */
export type RowUser = z.output<typeof rowUser>;
/** What saving one row would do. */
export type RowPlan = z.output<typeof rowPlan>;
