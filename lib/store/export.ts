import { AppError } from "@/lib/errors";
import { exportHead, exportLine, type ExportFormat } from "@/lib/resources/export";
import { resources, type ResourceName } from "@/lib/resources/index";
import type { ListQuery, Page } from "@/lib/resources/list";

/** Rows that are read at once. */
const PAGE = 500;

/** What is exported: a list's query without its pages. */
export type Exported = Omit<ListQuery, "limit" | "cursor">;

/**
 * Every row that a list matches, as lines of text, page by page: however many there are, few are held at a time.
 *
 * @param list the list itself
 * @returns the text in parts; the first page is read before it is answered, so that what is wrong with the query is thrown here
 * @throws AppError `invalid_request` for an unknown filter, sort or cursor
 */
export async function exportRows(
  list: (query: ListQuery) => Promise<Page<object>>,
  query: Exported,
  { format, columns }: { readonly format: ExportFormat; readonly columns: readonly string[] },
): Promise<AsyncIterable<string>> {
  const read = (cursor?: string) => list({ ...query, limit: PAGE, ...(cursor !== undefined && { cursor }) });
  const first = await read();
  return (async function* parts() {
    yield exportHead(format, columns);
    for (let page = first; ; page = await read(page.nextCursor)) {
      yield page.items.map((row) => exportLine(format, columns, row)).join("");
      if (page.nextCursor === null) return;
    }
  })();
}

/** The fields that are exported of a resource. @throws AppError `invalid_request` naming those that there are */
export function exportColumns(resource: ResourceName, wanted: string | undefined): readonly string[] {
  const known = Object.keys(resources[resource].row.shape);
  if (wanted === undefined) return known;
  const columns = wanted.split(",");
  const unknown = columns.filter((column) => !known.includes(column));
  if (unknown.length === 0) return columns;
  throw new AppError("invalid_request", "The query is not valid.", {
    errors: [{ path: "columns", message: `no field \`${unknown.join(", ")}\`: use some of ${known.join(", ")}` }],
  });
}
