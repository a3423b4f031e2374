import { AppError } from "@/lib/errors";

/** Sortable columns and the type of each one's value in a cursor. */
export type SortColumns = Readonly<Record<string, "text" | "time" | "number" | "flag">>;

/** The order of a list: by a column, then by id, both in the same direction. */
export interface Sort {
  readonly column: string;
  readonly kind: SortColumns[string];
  readonly direction: "asc" | "desc";
  readonly id: string;
  readonly orderBy: readonly object[];
}

/**
 * Parses a query's sort parameter: a column, with `-` for descending.
 *
 * @throws AppError `invalid_request` naming the sortable columns
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
export function cursorAfter(record: Readonly<Record<string, unknown>>, { column, direction, id }: Sort): string {
  return toCursor([column, direction, record[column], record[id]]);
}

/** Encodes the values at the end of a page as a cursor. `fromCursor` decodes them. */
export function toCursor(values: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(values)).toString("base64url");
}

/** The column value and the id that a cursor continues after. @throws AppError `invalid_request` for a cursor of another order */
export function readCursor(
  cursor: string,
  { column, kind, direction }: Sort,
): readonly [value: string | number | boolean, id: string] {
  const [ofColumn, ofDirection, value, lastId] = fromCursor(cursor);
  if (ofColumn === column && ofDirection === direction && isText(lastId) && hasKind(value, kind))
    return [value, lastId];
  throw new AppError("invalid_request", "The query is not valid.", {
    errors: [{ path: "cursor", message: "not a cursor of this list in this order: start again without it" }],
  });
}

/** The condition for all rows after a cursor. @throws AppError `invalid_request` for a cursor of another order */
export function conditionAfter(cursor: string, sort: Sort): object {
  const [value, lastId] = readCursor(cursor, sort);
  const { column, direction, id } = sort;
  const beyond = direction === "asc" ? "gt" : "lt";
  if (column === id) return { [id]: { [beyond]: lastId } };
  const rest = { [column]: value, [id]: { [beyond]: lastId } };
  if (typeof value !== "boolean") return { OR: [{ [column]: { [beyond]: value } }, rest] };
  // Flags have no order in Prisma's conditions: false comes before true.
  return value === (direction === "asc") ? rest : { OR: [{ [column]: !value }, rest] };
}

/** The largest value of a Postgres integer. */
const MAX_INTEGER = 2 ** 31 - 1;

function hasKind(value: unknown, kind: Sort["kind"]): value is string | number | boolean {
  if (kind === "number") return Number.isInteger(value) && Math.abs(Number(value)) <= MAX_INTEGER;
  if (kind === "flag") return typeof value === "boolean";
  return kind === "text" ? isText(value) : isTime(value);
}

/** Whether the database can compare with this text. */
function isText(value: unknown): value is string {
  return typeof value === "string" && !value.includes("\0");
}

/** Whether this is a time in the form that our cursors use, of a day that exists, in a year that the database supports. */
export function isTime(value: unknown): value is string {
  if (typeof value !== "string" || !/^(?!0000)\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return false;
  const time = new Date(value);
  // The 31st of February is parsed as a day of March.
  return !Number.isNaN(time.getTime()) && time.toISOString().slice(0, 19) === value.slice(0, 19);
}

/** The values of a cursor, unchecked; empty when the text is not a cursor. */
export function fromCursor(cursor: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
