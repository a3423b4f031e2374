import { z } from "zod";
import { impactOutput } from "@/lib/contracts/decisions/impact";
import { CONFIG_SECTIONS } from "@/lib/resources/sections";
import { listQuery } from "@/lib/contracts/changes/list";
import { warning } from "@/lib/contracts/changes/row-plan";

/** How many ids a bulk change may name; more rows than these are named by a query. */
export const MOST_BULK_IDS = 2_000;
/** How many rows an answer shows before and after; it counts them all. */
export const MOST_BULK_SHOWN = 50;

const field = z.string().regex(/^[A-Za-z]{1,64}$/, "use the name of a field, such as enabled");

/** Which rows: by id, or all that a list's search and filters match. */
const bulkRows = z.union([
  z.strictObject({ ids: z.array(z.string().min(1).max(400)).min(1).max(MOST_BULK_IDS) }),
  z.strictObject({
    /** As the list's address has it: `q` and filters; `{}` is every row. */
    query: listQuery.pick({ q: true }),
  }),
]);

/** What is done to each of them. */
const bulkChange = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("set"),
    field,
    value: z.union([z.boolean(), z.number(), z.string().max(2000), z.null()]),
    /** With `enabled: false`: kept as the `disabledReason` of the rows that were enabled. */
    reason: z.string().trim().min(1).max(500).optional(),
  }),
  z.strictObject({
    /** To, or from, a list of texts such as `labels`. */
    kind: z.enum(["add", "remove"]),
    field,
    values: z.array(z.string().min(1).max(400)).min(1).max(50),
  }),
  z.strictObject({ kind: z.literal("delete") }),
]);

/** `POST /api/admin/bulk/{section}`: one change of many rows, saved as one revision. */
export const bulkInput = z.strictObject({ rows: bulkRows, change: bulkChange });

/** The sections whose rows can be changed together: those of the configuration document. */
export const bulkSection = z.object({ section: z.enum(CONFIG_SECTIONS) });

/** What was done, or with `dryRun=true` what would be. */
export const bulkOutput = z.object({
  /** The revision that holds the change; of a dry run, the one that it was planned on: the next request's `If-Match`. */
  revision: z.int(),
  /** How many rows were meant, and how many of them are not so already. */
  matching: z.int(),
  changing: z.int(),
  /** The first of those that change, with the field's value; a deleted row has none. */
  rows: z.array(z.object({ id: z.string(), before: z.json(), after: z.json() })),
  /** What would refuse it; empty once it is done. */
  errors: z.array(warning),
  warnings: z.array(warning),
  /** Of a dry run of what decides: whose tools change, and which recent calls would be decided otherwise. */
  impact: impactOutput.nullable(),
});

/** A change of many rows. */
export type BulkInput = z.output<typeof bulkInput>;
/** What it did or would do. */
export type BulkOutput = z.output<typeof bulkOutput>;
/** One change, whatever the rows. */
export type BulkChange = BulkInput["change"];
