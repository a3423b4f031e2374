import { AppError } from "@/lib/errors";
import { resources, type Input, type ResourceName, type Row } from "@/lib/resources/index";
import type { ListQuery, Page } from "@/lib/resources/list";
import { db } from "@/lib/store/database";
import { readPage, type Listing } from "@/lib/store/page";
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

interface CrudSpec<R extends ResourceName> extends Omit<Listing, "of" | "id"> {
  readonly resource: R;
  /** What is stored for an input, where that is more than the input. */
  readonly merge?: (input: Input<R>, before: Stored<R>) => Value<R>;
}

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
  const listing = { ...spec, of: spec.resource, id: tables[spec.resource].id };
  const page = await readPage(modelOf(db(), spec.resource), listing, query);
  return { ...page, items: page.items.map((record) => toStored(spec.resource, record) as Row<R>) };
}
