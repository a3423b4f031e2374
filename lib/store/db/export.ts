import type { z } from "zod";
import { AppError } from "@/lib/errors";
import { exportHead, exportLine, type ExportFormat } from "@/lib/contracts/changes/export";
import type { Page } from "@/lib/contracts/changes/list";

const PAGE_ROWS = 500;

/** The next page to read of a list. */
export interface Paging {
  readonly limit: number;
  readonly cursor?: string;
}

/**
 * Exports every row of a list as lines of text, page by page, so that few rows are in memory at once.
 *
 * @param list reads one page
 * @returns the text in parts. The first page is read before the promise resolves, so that a wrong query rejects it
 * @throws AppError `invalid_request` for an unknown filter, sort or cursor
 */
export async function exportRows(
  list: (page: Paging) => Promise<Page<object>>,
  { format, columns }: { readonly format: ExportFormat; readonly columns: readonly string[] },
): Promise<AsyncIterable<string>> {
  const first = await list({ limit: PAGE_ROWS });
  return (async function* parts() {
    yield exportHead(format, columns);
    for (let page = first; ; page = await list({ limit: PAGE_ROWS, cursor: page.nextCursor })) {
      yield page.items.map((row) => exportLine(format, columns, row)).join("");
      if (page.nextCursor === null) return;
    }
  })();
}

/** The columns to export. @throws AppError `invalid_request` naming the known columns */
export function exportColumns(row: z.ZodObject, wanted: string | undefined): readonly string[] {
  const known = Object.keys(row.shape);
  if (wanted === undefined) return known;
  const columns = wanted.split(",");
  const unknown = columns.filter((column) => !known.includes(column));
  if (unknown.length === 0) return columns;
  throw new AppError("invalid_request", "The query is not valid.", {
    errors: [{ path: "columns", message: `no field \`${unknown.join(", ")}\`: use some of ${known.join(", ")}` }],
  });
}
