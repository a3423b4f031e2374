import { AppError } from "@/lib/errors";
import { resources, type Input, type ResourceName, type Row } from "@/lib/resources/index";
import type { ListQuery, Page } from "@/lib/contracts/changes/list";
import type { RowPlan } from "@/lib/contracts/changes/row-plan";
import { db } from "@/lib/store/db/database";
import { conditionOf, readPage, type Listing } from "@/lib/store/db/page";
import { followRename } from "@/lib/store/save/follow-rename";
import { planRow } from "@/lib/store/save/row-plan";
import type { Stored } from "@/lib/store/save/stored";
import { modelOf, tables, toStored, toValue, type Connection } from "@/lib/store/config/tables";
import type { Stored as StoredRow, Value } from "@/lib/store/config/values";
import { write, writeAndRead, type Actor, type Change, type Written } from "@/lib/store/save/write";

/** What the admin API can do with a resource of any kind. */
export interface Store<R extends ResourceName> {
  /** A page of rows: `q`, the resource's filters, `sort`, `limit`, `cursor`. @throws AppError `invalid_request` */
  list(query: ListQuery): Promise<Page<Row<R>>>;
  /** The ids of all rows that match a list's search and filters, read in a transaction. @throws AppError `invalid_request` */
  matching(query: Partial<ListQuery>, stored: Stored): Promise<string[]>;
  /** Refuses what `matching` would refuse, without reading rows. @throws AppError `invalid_request` naming the unknown filter */
  checkQuery(query: Partial<ListQuery>): void;
  /** One row. @throws AppError `not_found` */
  get(id: string, connection?: Connection): Promise<Row<R>>;
  /** Creates a row. Keys and tokens return their secret too. @throws AppError */
  create(actor: Actor, input: Input<R>): Promise<Row<R>>;
  /** Replaces a whole row. `ifMatch`: the revision that the change is based on, `"*"` for any. @throws AppError `stale` with the current row */
  replace(actor: Actor, id: string, input: Input<R>, ifMatch: IfMatch, options?: ReplaceOptions): Promise<Row<R>>;
  /** Deletes a row that no other row refers to. @throws AppError `in_use` naming those rows */
  remove(actor: Actor, id: string, ifMatch?: IfMatch): Promise<void>;
  /** Computes the effect of a change without saving it. @throws AppError `not_found`, `stale`, `conflict` */
  plan(actor: Actor, change: RowChange<R>): Promise<RowPlan>;
}

interface ReplaceOptions {
  /** Whether the rows that name a renamed group or persona get its new name. Otherwise a rename in use is refused. */
  readonly followRename?: boolean;
}

/** A client's change of one row. */
type RowChange<R extends ResourceName> =
  | { readonly action: "create"; readonly input: Input<R> }
  | ({
      readonly action: "replace";
      readonly id: string;
      readonly input: Input<R>;
      readonly ifMatch: IfMatch;
    } & ReplaceOptions)
  | { readonly action: "remove"; readonly id: string; readonly ifMatch: IfMatch };

/** The revision that a change is based on; `"*"` for any. */
export type IfMatch = number | "*";

interface CrudSpec<R extends ResourceName> extends Omit<Listing, "of" | "id"> {
  readonly resource: R;
  /** The value to store, for a resource that stores more than its input. */
  readonly merge?: (input: Input<R>, before: StoredRow<R>) => Value<R>;
}

/** The store of one resource. `list` and `get` read; every change uses `write`. */
export function crud<R extends ResourceName>(spec: CrudSpec<R>): Store<R> {
  const { resource } = spec;
  const { id: key } = tables[resource];

  async function get(id: string, connection: Connection = db()): Promise<Row<R>> {
    const record = await modelOf(connection, resource).findUnique({ where: { [key]: id } });
    if (record === null) throw notFound(resource, id);
    return toStored(resource, record) as Row<R>;
  }

  const save = (actor: Actor, plan: (stored: Stored) => Promise<Change[]>, id: string): Promise<Row<R>> =>
    writeAndRead(actor, plan, (tx, written) => get(idAfter(written, id), tx));

  return {
    get,
    list: (query) => list(spec, query),
    matching: (query, stored) => stored.matching(resource, conditionOf({ ...spec, of: resource }, query)),
    checkQuery: (query) => void conditionOf({ ...spec, of: resource }, query),
    create: (actor, input) => save(actor, makePlan(spec, { action: "create", input }), ""),
    replace: (actor, id, input, ifMatch, options) =>
      save(actor, makePlan(spec, { action: "replace", id, input, ifMatch, ...options }), id),
    remove: async (actor, id, ifMatch = "*") => {
      await write(actor, makePlan(spec, { action: "remove", id, ifMatch }));
    },
    plan: async (actor, change) => planRow(actor, resource, makePlan(spec, change)),
  };

  /** A change without an effect leaves the id as it was. */
  function idAfter({ changes }: Written, before: string): string {
    const after = changes[0]?.after ?? null;
    return after === null ? before : String((after as unknown as Record<string, unknown>)[key]);
  }
}

/** Converts a client's change to the plan that `write` takes. A dry run takes the same plan. */
function makePlan<R extends ResourceName>(
  { resource, merge }: Pick<CrudSpec<R>, "resource" | "merge">,
  change: RowChange<R>,
): (stored: Stored) => Promise<Change[]> {
  return async (stored) => {
    if (change.action === "create") return [{ resource, action: "create", after: change.input } as unknown as Change];
    const { id, ifMatch } = change;
    const before = await stored.get(resource, id);
    requireFresh(resource, id, before, ifMatch);
    if (change.action === "remove") return [{ resource, action: "delete", id } as Change];
    const after = merge?.(change.input, before) ?? change.input;
    const replacement = { resource, action: "update", id, after } as unknown as Change;
    return [replacement, ...(change.followRename === true ? await followRename(stored, replacement) : [])];
  };
}

/** @throws AppError `not_found`, or `stale` with the current row */
function requireFresh<R extends ResourceName>(
  resource: R,
  id: string,
  before: StoredRow<R> | null,
  ifMatch: IfMatch,
): asserts before is StoredRow<R> {
  if (before === null) throw notFound(resource, id);
  if (ifMatch !== "*" && before.revision !== ifMatch)
    throw new AppError("stale", `The ${resources[resource].words[0]} \`${id}\` has changed since.`, {
      extra: { current: before },
    });
}

/** The value of a stored row, for a save. @throws AppError `not_found` */
export async function requireValue<R extends ResourceName>(stored: Stored, resource: R, id: string): Promise<Value<R>> {
  const row = await stored.get(resource, id);
  if (row === null) throw notFound(resource, id);
  return toValue(resource, row);
}

function notFound(resource: ResourceName, id: string): AppError {
  return new AppError("not_found", `There is no ${resources[resource].words[0]} \`${id}\`.`);
}

async function list<R extends ResourceName>(spec: CrudSpec<R>, query: ListQuery): Promise<Page<Row<R>>> {
  const listing = { ...spec, of: spec.resource, id: tables[spec.resource].id };
  const page = await readPage(modelOf(db(), spec.resource), listing, query);
  return { ...page, items: page.items.map((record) => toStored(spec.resource, record) as Row<R>) };
}
