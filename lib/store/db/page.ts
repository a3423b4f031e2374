import { AppError } from "@/lib/errors";
import { MAX_COUNTED, toTotal, type ListQuery, type Page } from "@/lib/contracts/changes/list";
import { containing, type Filter } from "@/lib/store/db/filters";
import { conditionAfter, cursorAfter, readSort, type SortColumns } from "@/lib/store/db/keyset";
import type { Model } from "@/lib/store/config/tables";

/** The search, filters and orders of a list (docs/reference/http.md#admin-api). */
export interface Listing {
  /** The name of the rows, for messages. */
  readonly of: string;
  readonly id: string;
  /** Text columns that `q` searches; `within` limits a column to these rows. */
  readonly search: readonly (string | { readonly column: string; readonly within: object })[];
  /** Sortable columns; the first is the default. None is nullable. */
  readonly sort: SortColumns;
  readonly filters: Readonly<Record<string, Filter>>;
}

/** Query keys that are not filters. */
const RESERVED = new Set(["q", "sort", "limit", "cursor"]);

/**
 * Reads one page of Prisma records.
 *
 * @param within the condition for the rows that the caller may see
 * @throws AppError `invalid_request` naming the unknown filter, sort or cursor
 */
export async function readPage(
  model: Pick<Model, "findMany" | "count">,
  listing: Listing,
  query: ListQuery,
  within: object = {},
): Promise<Page<Record<string, unknown>>> {
  const sort = readSort(query.sort, listing.sort, listing.id);
  const where = { AND: [within, conditionOf(listing, query)] };
  const after = query.cursor === undefined ? [] : [conditionAfter(query.cursor, sort)];
  const [records, counted] = await Promise.all([
    model.findMany({ where: { AND: [where, ...after] }, orderBy: sort.orderBy, take: query.limit + 1 }),
    model.count({ where, take: MAX_COUNTED + 1 }),
  ]);
  const items = records.slice(0, query.limit);
  const last = records.length > query.limit ? items.at(-1) : undefined;
  return { items, nextCursor: last === undefined ? null : cursorAfter(last, sort), ...toTotal(counted) };
}

/** Turns a list's search and filters into a database condition. @throws AppError `invalid_request` naming the unknown filter */
export function conditionOf(listing: Pick<Listing, "of" | "search" | "filters">, query: Partial<ListQuery>): object {
  return { AND: [...searchConditions(listing, query.q), ...filterConditions(listing, query)] };
}

function searchConditions({ search }: Pick<Listing, "search">, q: string | undefined): object[] {
  const text = q?.trim() ?? "";
  if (text === "") return [];
  const contains = containing(text);
  const conditions = search.map((searched) =>
    typeof searched === "string"
      ? { [searched]: contains }
      : { AND: [searched.within, { [searched.column]: contains }] },
  );
  return [{ OR: conditions }];
}

function filterConditions({ of, filters }: Pick<Listing, "of" | "filters">, query: Partial<ListQuery>): object[] {
  const problems: { path: string; message: string }[] = [];
  const conditions: object[] = [];
  for (const [name, value] of Object.entries(query)) {
    if (RESERVED.has(name) || value === undefined) continue;
    const filter = Object.hasOwn(filters, name) ? filters[name] : undefined;
    const known = Object.keys(filters).join(", ");
    if (filter === undefined) {
      problems.push({ path: name, message: `unknown filter: ${of} can be filtered by ${known || "nothing"}` });
      continue;
    }
    const alternatives = (Array.isArray(value) ? value : [value]).map((one) => filter(String(one)));
    for (const one of alternatives) if (typeof one === "string") problems.push({ path: name, message: one });
    conditions.push({ OR: alternatives });
  }
  if (problems.length > 0) throw new AppError("invalid_request", "The query is not valid.", { errors: problems });
  return conditions;
}
