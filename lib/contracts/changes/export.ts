import { z } from "zod";
import { listQuery } from "@/lib/contracts/changes/list";

/** The formats of an exported list: CSV (RFC 4180), and one JSON object per line. */
export const EXPORT_FORMATS = ["csv", "jsonl"] as const;
/** One export format. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Content types by format. */
export const EXPORT_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: "text/csv",
  jsonl: "application/jsonl",
};

/** The query parameters of an export besides the row filters: format and fields. */
export const EXPORT_FIELDS = {
  format: z.enum(EXPORT_FORMATS).default("csv"),
  /** Comma-separated fields of a row, in this order; absent = all fields. */
  columns: z
    .string()
    .regex(
      /^[A-Za-z]{1,64}(,[A-Za-z]{1,64}){0,63}$/,
      "use field names with commas between them, such as id,description",
    )
    .optional(),
};

/** The parameters of a list's query that an export does not have. */
export const PAGES = { limit: true, cursor: true } as const;

/** The query of an export: the list's query without paging, plus format and fields. */
export const exportQuery = listQuery.omit(PAGES).extend(EXPORT_FIELDS);

/** The query parameters that every export has. */
export interface ExportQuery {
  readonly format: ExportFormat;
  readonly columns?: string | undefined;
}

/** The text before the first row: the header line of CSV, else empty. */
export function exportHead(format: ExportFormat, columns: readonly string[]): string {
  return format === "csv" ? csvLine(columns) : "";
}

/** One row with its line break. */
export function exportLine(format: ExportFormat, columns: readonly string[], row: object): string {
  const fields = columns.map((column) => [column, (row as Record<string, unknown>)[column] ?? null] as const);
  return format === "csv"
    ? csvLine(fields.map(([, value]) => value))
    : `${JSON.stringify(Object.fromEntries(fields))}\n`;
}

function csvLine(values: readonly unknown[]): string {
  return `${values.map(csvCell).join(",")}\r\n`;
}

/**
 * Control characters except tab and line breaks, direction marks and invisible tags. A terminal executes the former,
 * and the latter show a reader a different text.
 */
const UNSAFE = /(?![\t\n\r])\p{Cc}|[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}]/gu;

/** A list that a spreadsheet can show as text: without commas, a reader can tell its entries apart. */
function isListOfNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string" && !/[,\s]/.test(entry));
}

/**
 * Puts an apostrophe before a cell that looks like a formula: a spreadsheet must show text, not run it (OWASP, CSV
 * Injection).
 */
function csvCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const written = typeof value === "string" ? value : isListOfNames(value) ? value.join(", ") : JSON.stringify(value);
  const text = written.replace(UNSAFE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
  const safe = /^\s*[=+\-@]|^[\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
