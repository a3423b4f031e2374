import { z } from "zod";

/** The query of `POST`, `PUT` and `DELETE` of a row: with `dryRun=true` they answer a plan and save nothing. */
export const saveQuery = z.strictObject({
  dryRun: z
    .enum(["true", "false"], "use true or false")
    .default("false")
    .transform((text) => text === "true"),
});

/** Something suspicious, at its place in the whole configuration: `assertions[staff see the menu]`. */
export const warning = z.object({ path: z.string(), message: z.string() });

/** What saving one row would be refused for, at its fields, and what would be suspicious afterwards. */
export const rowPlan = z.object({ errors: z.array(warning), warnings: z.array(warning) });

/** What a row's answer says besides the row: assertions that do not hold any more. Absent: none. */
export const saved = z.object({ warnings: z.array(warning).optional() });

/** One warning. */
export type Warning = z.output<typeof warning>;
/** What saving one row would do. */
export type RowPlan = z.output<typeof rowPlan>;
