import type { z } from "zod";
import { AppError } from "@/lib/errors";
import { exportHead, exportLine, type ExportFormat } from "@/lib/contracts/changes/export";
import type { Page } from "@/lib/contracts/changes/list";

/** Rows that are read at once. */
const PAGE = 500;

/** Which rows of a list are read next. */
export interface Paging {
  readonly limit: number;
  readonly cursor?: string;
}

/**
 * Every row that a list matches, as lines of text, page by page: however many there are, few are held at a time.
 *
 * @param list reads one page of what is exported
 * @returns the text in parts; the first page is read before it is answered, so that what is wrong with the query is thrown here
 * @throws AppError `invalid_request` for an unknown filter, sort or cursor
 */
export async function exportRows(
  list: (page: Paging) => Promise<Page<object>>,
  { format, columns }: { readonly format: ExportFormat; readonly columns: readonly string[] },
): Promise<AsyncIterable<string>> {
  const first = await list({ limit: PAGE });
  return (async function* parts() {
    yield exportHead(format, columns);
    for (let page = first; ; page = await list({ limit: PAGE, cursor: page.nextCursor })) {
      yield page.items.map((row) => exportLine(format, columns, row)).join("");
      if (page.nextCursor === null) return;
    }
  })();
}

/** The fields of a row that are exported. @throws AppError `invalid_request` naming those that there are */
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
