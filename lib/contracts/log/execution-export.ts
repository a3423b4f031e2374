import { z } from "zod";
import { executionFilters, executionRow } from "@/lib/contracts/log/execution";
import { flag } from "@/lib/resources/parts/name";

/** CSV (RFC 4180), one JSON object per line, and one event of the Open Cybersecurity Schema Framework per line. */
export const LOG_FORMATS = ["csv", "jsonl", "ocsf"] as const;

/** Content types by format. */
export const LOG_EXPORT_TYPES: Readonly<Record<(typeof LOG_FORMATS)[number], string>> = {
  csv: "text/csv",
  jsonl: "application/jsonl",
  ocsf: "application/jsonl",
};

/** The fields of a row that can be exported, in the order of the API. */
export const LOG_COLUMNS = Object.keys(executionRow.shape);

/** The columns that `bodies=true` adds to a row, redacted as they are stored. */
export const BODY_COLUMNS = ["arguments", "result", "truncated", "erased"] as const;

/**
 * The query of `GET executions/export`: the list's filters and order, format and fields. `bodies=true` needs
 * `executions:bodies` and adds bodies; in CSV as JSON text.
 */
export const executionExportQuery = executionFilters.extend({
  sort: z.enum(["at", "-at"]).optional(),
  format: z.enum(LOG_FORMATS).default("csv"),
  bodies: flag,
  /** Comma-separated fields of a row, in this order; absent = all fields. `ocsf` has fixed fields. */
  columns: z
    .string()
    .transform((text) => text.split(","))
    .refine((columns) => columns.every((column) => LOG_COLUMNS.includes(column)), {
      error: `use some of ${LOG_COLUMNS.join(", ")}, with commas between them`,
    })
    .optional(),
});

/**
 * Describes an export for later verification. Signed like seals, over everything except the signature as canonical
 * JSON.
 */
export const exportManifest = z.object({
  id: z.string(),
  /** When the export was completed. */
  at: z.iso.datetime(),
  actor: z.string(),
  format: z.enum(LOG_FORMATS),
  filter: z.record(z.string(), z.json()),
  columns: z.array(z.string()),
  count: z.int(),
  /** SHA-256 of the whole file, hex. */
  sha256: z.string(),
  /** The last seal at the start of the export; null before the first seal. */
  seal: z.int().nullable(),
  keyId: z.string(),
  signature: z.string(),
});

/** The export to make. */
export type ExecutionExportQuery = z.output<typeof executionExportQuery>;
/** The description of an export. */
export type ExportManifest = z.output<typeof exportManifest>;
