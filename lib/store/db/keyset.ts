import { AppError } from "@/lib/errors";

/** Sortable columns and what a cursor's value of each must be. */
export type SortColumns = Readonly<Record<string, "text" | "time" | "number" | "flag">>;

/** One order of a list: a column, then the id, both in one direction. */
export interface Sort {
  readonly column: string;
  readonly kind: SortColumns[string];
  readonly direction: "asc" | "desc";
  readonly id: string;
  readonly orderBy: readonly object[];
}

/**
 * The order that a query asks for: a column, with `-` for descending.
 *
 * @throws AppError `invalid_request` naming the columns there are
 */
export function readSort(text: string | undefined, columns: SortColumns, id: string): Sort {
  const wanted = text ?? Object.keys(columns)[0] ?? id;
  const direction = wanted.startsWith("-") ? "desc" : "asc";
  const column = wanted.replace(/^-/, "");
  const kind = Object.hasOwn(columns, column) ? columns[column] : undefined;
  if (kind === undefined)
    throw new AppError("invalid_request", "The query is not valid.", {
      errors: [{ path: "sort", message: `cannot sort by \`${column}\`: use ${Object.keys(columns).join(", ")}` }],
    });
  const orderBy = column === id ? [{ [id]: direction }] : [{ [column]: direction }, { [id]: direction }];
  return { column, kind, direction, id, orderBy };
}

/** The cursor that continues after a record. */
export function encodeCursor(record: Readonly<Record<string, unknown>>, { column, direction, id }: Sort): string {
  return Buffer.from(JSON.stringify([column, direction, record[column], record[id]])).toString("base64url");
}

/** What a cursor continues after: the value of the order's column, and the id. @throws AppError `invalid_request` for one that is not of this order */
export function readCursor(
  cursor: string,
  { column, kind, direction }: Sort,
): readonly [value: string | number | boolean, id: string] {
  const [ofColumn, ofDirection, value, lastId] = parse(cursor);
  if (ofColumn === column && ofDirection === direction && isText(lastId) && hasKind(value, kind))
    return [value, lastId];
  throw new AppError("invalid_request", "The query is not valid.", {
    errors: [{ path: "cursor", message: "not a cursor of this list in this order: start again without it" }],
  });
}

/** The condition of everything after a cursor. @throws AppError `invalid_request` for one that is not of this order */
export function decodeCursor(cursor: string, sort: Sort): object {
  const [value, lastId] = readCursor(cursor, sort);
  const { column, direction, id } = sort;
  const beyond = direction === "asc" ? "gt" : "lt";
  if (column === id) return { [id]: { [beyond]: lastId } };
  return { OR: [{ [column]: { [beyond]: value } }, { [column]: value, [id]: { [beyond]: lastId } }] };
}

function hasKind(value: unknown, kind: Sort["kind"]): value is string | number | boolean {
  if (kind === "number") return Number.isSafeInteger(value);
  if (kind === "flag") return typeof value === "boolean";
  return kind === "text" ? isText(value) : isTime(value);
}

/** Text that the database can compare with. */
function isText(value: unknown): value is string {
  return typeof value === "string" && !value.includes("\0");
}

/** A time as our own cursors spell it, in a year that the database knows. */
export function isTime(value: unknown): value is string {
  return (
    typeof value === "string" && /^(?!0000)\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) && !Number.isNaN(Date.parse(value))
  );
}

function parse(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
