import { AppError } from "@/lib/errors";
import { resources, type Input, type ResourceName, type Row } from "@/lib/resources/index";
import type { ListQuery, Page } from "@/lib/resources/list";
import { db } from "@/lib/store/database";
import { decodeCursor, encodeCursor, readSort, type SortColumns } from "@/lib/store/keyset";
import type { Filter } from "@/lib/store/filters";
import { modelOf, tables, toStored, type Stored, type Value } from "@/lib/store/tables";
import { translated } from "@/lib/store/translate";
import { write, type Actor, type Change } from "@/lib/store/write";

/** What the uniform admin API can do with a resource. */
export interface Store<R extends ResourceName> {
  /** A page of rows: `q`, the resource's filters, `sort`, `limit`, `cursor`. @throws AppError `invalid_request` */
  list(query: ListQuery): Promise<Page<Row<R>>>;
  /** One row. @throws AppError `not_found` */
  get(id: string): Promise<Row<R>>;
  /** Makes a row; keys and tokens answer their secret too. @throws AppError */
  create(actor: Actor, input: Input<R>): Promise<Row<R>>;
  /** Replaces a row whole. `ifMatch`: the revision that was looked at, `"*"` for any. @throws AppError `stale` with the current row */
  replace(actor: Actor, id: string, input: Input<R>, ifMatch: IfMatch): Promise<Row<R>>;
  /** Deletes a row that nobody uses. @throws AppError `in_use` naming the users */
  remove(actor: Actor, id: string, ifMatch?: IfMatch): Promise<void>;
}

/** The revision that a change was made against. */
export type IfMatch = number | "*";

interface CrudSpec<R extends ResourceName> {
  readonly resource: R;
  /** Text columns that `q` looks into. */
  readonly search: readonly string[];
  /** Columns that a list may be sorted by; the first is the default. None of them is nullable. */
  readonly sort: SortColumns;
  readonly filters: Readonly<Record<string, Filter>>;
  /** What is stored for an input, where that is more than the input. */
  readonly merge?: (input: Input<R>, before: Stored<R>) => Value<R>;
}

/** Keys of a list's query that are no filters. */
const RESERVED = new Set(["q", "sort", "limit", "cursor"]);

/** The store of one resource: list and get read, everything else goes through `write`. */
export function crud<R extends ResourceName>(spec: CrudSpec<R>): Store<R> {
  const { resource } = spec;
  const { id: key } = tables[resource];

  async function get(id: string): Promise<Row<R>> {
    const record = await translated(() => modelOf(db(), resource).findUnique({ where: { [key]: id } }));
    if (record === null) throw notFound(resource, id);
    return toStored(resource, record) as Row<R>;
  }

  return {
    get,
    list: (query) => list(spec, query),
    create: async (actor, input) => {
      const after = input as unknown as Value<R>;
      await write(actor, () => [{ resource, action: "create", after } as unknown as Change]);
      return get(String((after as Record<string, unknown>)[key]));
    },
    replace: async (actor, id, input, ifMatch) => {
      const written = await write(actor, async (stored) => {
        const before = await stored.get(resource, id);
        requireFresh(resource, id, before, ifMatch);
        const after = spec.merge?.(input, before) ?? input;
        return [{ resource, action: "update", id, after } as unknown as Change];
      });
      const after = written.changes[0]?.after ?? null;
      return get(after === null ? id : String((after as unknown as Record<string, unknown>)[key]));
    },
    remove: async (actor, id, ifMatch = "*") => {
      await write(actor, async (stored) => {
        requireFresh(resource, id, await stored.get(resource, id), ifMatch);
        return [{ resource, action: "delete", id } as Change];
      });
    },
  };
}

/** @throws AppError `not_found`, or `stale` with the row as it is now */
function requireFresh<R extends ResourceName>(
  resource: R,
  id: string,
  before: Stored<R> | null,
  ifMatch: IfMatch,
): asserts before is Stored<R> {
  if (before === null) throw notFound(resource, id);
  if (ifMatch !== "*" && before.revision !== ifMatch)
    throw new AppError("stale", `The ${resources[resource].words[0]} \`${id}\` was changed meanwhile.`, {
      extra: { current: before },
    });
}

function notFound(resource: ResourceName, id: string): AppError {
  return new AppError("not_found", `There is no ${resources[resource].words[0]} \`${id}\`.`);
}

async function list<R extends ResourceName>(spec: CrudSpec<R>, query: ListQuery): Promise<Page<Row<R>>> {
  const { id } = tables[spec.resource];
  const sort = readSort(query.sort, spec.sort, id);
  const where = { AND: [...searching(spec, query.q), ...filtering(spec, query)] };
  const after = query.cursor === undefined ? [] : [decodeCursor(query.cursor, sort)];
  const model = modelOf(db(), spec.resource);
  const [records, total] = await translated(() =>
    Promise.all([
      model.findMany({ where: { AND: [where, ...after] }, orderBy: sort.orderBy, take: query.limit + 1 }),
      model.count({ where }),
    ]),
  );
  const items = records.slice(0, query.limit);
  const last = records.length > query.limit ? items.at(-1) : undefined;
  return {
    items: items.map((record) => toStored(spec.resource, record) as Row<R>),
    nextCursor: last === undefined ? null : encodeCursor(last, sort),
    total,
  };
}

function searching(spec: { readonly search: readonly string[] }, q: string | undefined): object[] {
  const text = q?.trim() ?? "";
  if (text === "") return [];
  return [{ OR: spec.search.map((column) => ({ [column]: { contains: text, mode: "insensitive" } })) }];
}

function filtering<R extends ResourceName>({ resource, filters }: CrudSpec<R>, query: ListQuery): object[] {
  const problems: { path: string; message: string }[] = [];
  const conditions: object[] = [];
  for (const [name, value] of Object.entries(query)) {
    if (RESERVED.has(name) || value === undefined) continue;
    const filter = Object.hasOwn(filters, name) ? filters[name] : undefined;
    const known = Object.keys(filters).join(", ");
    if (filter === undefined) {
      problems.push({ path: name, message: `unknown filter: ${resource} can be filtered by ${known || "nothing"}` });
      continue;
    }
    const any = (Array.isArray(value) ? value : [value]).map((one) => filter(String(one)));
    for (const one of any) if (typeof one === "string") problems.push({ path: name, message: one });
    conditions.push({ OR: any });
  }
  if (problems.length > 0) throw new AppError("invalid_request", "The query is not valid.", { errors: problems });
  return conditions;
}
