import { z } from "zod";
import { executionFilters, executionQuery, executionRow } from "@/lib/contracts/log/execution";
import { flag } from "@/lib/resources/parts/name";

/** RFC 4180, one JSON object a line, and one event of the Open Cybersecurity Schema Framework a line. */
export const LOG_FORMATS = ["csv", "jsonl", "ocsf"] as const;

/** Content types by format. */
export const LOG_EXPORT_TYPES: Readonly<Record<(typeof LOG_FORMATS)[number], string>> = {
  csv: "text/csv",
  jsonl: "application/jsonl",
  ocsf: "application/jsonl",
};

/** The fields of a row that can be exported, in the order of the API. */
export const LOG_COLUMNS = Object.keys(executionRow.shape);

/** What `bodies=true` adds to a row, redacted as it is stored. */
export const BODY_COLUMNS = ["arguments", "result", "truncated", "erased"] as const;

/**
 * The query of `GET executions/export`: the list's filters and order, the format, and the fields that are wanted. With
 * `bodies=true`, for who has `executions:bodies`, also what was said; a table of cells is no place for it.
 */
export const executionExportQuery = executionFilters
  .extend({
    sort: executionQuery.shape.sort,
    format: z.enum(LOG_FORMATS).default("csv"),
    bodies: flag,
    /** Comma-separated fields of a row, in their order; absent = all of them. `ocsf` has fields of its own. */
    columns: z
      .string()
      .transform((text) => text.split(","))
      .refine((columns) => columns.every((column) => LOG_COLUMNS.includes(column)), {
        error: `use some of ${LOG_COLUMNS.join(", ")}, with commas between them`,
      })
      .optional(),
  })
  .refine(({ bodies, format }) => !bodies || format !== "csv", {
    path: ["bodies"],
    message: "bodies are exported as jsonl or ocsf, not as csv",
  });

/** What says later what an export was: signed as seals are, over everything but the signature as canonical JSON. */
export const exportManifest = z.object({
  id: z.string(),
  /** When it was written to its end. */
  at: z.iso.datetime(),
  actor: z.string(),
  format: z.enum(LOG_FORMATS),
  filter: z.record(z.string(), z.json()),
  columns: z.array(z.string()),
  count: z.int(),
  /** SHA-256 of the whole file, hex. */
  sha256: z.string(),
  /** The last seal when it began; null before the first. */
  seal: z.int().nullable(),
  keyId: z.string(),
  signature: z.string(),
});

/** What is exported. */
export type ExecutionExportQuery = z.output<typeof executionExportQuery>;
/** What an export was. */
export type ExportManifest = z.output<typeof exportManifest>;
