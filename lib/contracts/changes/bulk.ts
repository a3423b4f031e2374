import { z } from "zod";
import { impactOutput } from "@/lib/contracts/decisions/impact";
import { CONFIG_SECTIONS } from "@/lib/resources/sections";
import { listQuery } from "@/lib/contracts/changes/list";
import { rowPlan, warning } from "@/lib/contracts/changes/row-plan";

/** The most ids that a bulk change may name. For more rows use a query. */
const MAX_BULK_IDS = 2_000;
/** The most rows that an answer shows before and after. It counts all rows. */
export const MAX_BULK_SHOWN = 50;

const field = z.string().regex(/^[A-Za-z]{1,64}$/, "use the name of a field, such as enabled");

/** The rows: by id, or all rows that match a list's search and filters. */
export const bulkRows = z.union([
  z.strictObject({ ids: z.array(z.string().min(1).max(400)).min(1).max(MAX_BULK_IDS) }),
  z.strictObject({
    /** As in the list's address: `q` and filters; `{}` means every row. */
    query: listQuery.pick({ q: true }),
  }),
]);

/** The change of each row. */
const bulkChange = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("set"),
    field,
    value: z.union([z.boolean(), z.number(), z.string().max(2000), z.null()]),
    /** With `enabled: false`: becomes the `disabledReason` of the rows that were enabled. */
    reason: z.string().trim().min(1).max(500).optional(),
  }),
  z.strictObject({
    /** Adds to, or removes from, a list of texts such as `labels`. */
    kind: z.enum(["add", "remove"]),
    field,
    values: z.array(z.string().min(1).max(400)).min(1).max(50),
  }),
  z.strictObject({ kind: z.literal("delete") }),
  /** Guesses the flow of imported tools that state none. */
  z.strictObject({ kind: z.literal("guess_flow") }),
]);

/** `POST /api/admin/bulk/{section}`: changes many rows in one revision. */
export const bulkInput = z.strictObject({ rows: bulkRows, change: bulkChange });

/** The sections that bulk changes support: those of the configuration document. */
export const bulkSection = z.object({ section: z.enum(CONFIG_SECTIONS) });

/** The result, or with `dryRun=true` the plan. */
export const bulkOutput = z.object({
  /**
   * The revision that holds the change. For a dry run, the revision that it was planned on: the next request's
   * `If-Match`.
   */
  revision: z.int(),
  /** The number of matching rows, and how many of them change. */
  matching: z.int(),
  changing: z.int(),
  /** The first changed rows with the field's value; a deleted row has none. */
  rows: z.array(z.object({ id: z.string(), before: z.json(), after: z.json() })),
  /** The reasons to refuse the change; empty after it is saved. */
  errors: z.array(warning),
  warnings: z.array(warning),
  /** For a dry run: why the change would wait for a second person; `null` when it would not. */
  review: rowPlan.shape.review,
  /**
   * For a dry run on deciding sections: the callers whose tools change, and the recent calls with a different decision.
   */
  impact: impactOutput.nullable(),
});

/** A change of many rows. */
export type BulkInput = z.output<typeof bulkInput>;
/** The result or plan of a change of many rows. */
export type BulkOutput = z.output<typeof bulkOutput>;
/** The change, without the rows. */
export type BulkChange = BulkInput["change"];
