import { AppError } from "@/lib/errors";
import { changeRow, type ChangeQuery, type ChangeRow } from "@/lib/contracts/changes/change";
import { hiddenFrom } from "@/lib/resources/hidden-from";
import { MAX_COUNTED, toTotal, type Page } from "@/lib/contracts/changes/list";
import type { Role } from "@/lib/resources/permissions";
import { db } from "@/lib/store/db/database";
import type { Prisma } from "@/lib/store/generated/client";

type Stored = Awaited<ReturnType<ReturnType<typeof db>["change"]["findMany"]>>[number];

/** A name that a row had, until the change (by id) that gave it the next one. */
interface FormerName {
  readonly name: string;
  readonly until: bigint;
}

/** The most former names that a row's history has. */
const MAX_FORMER_NAMES = 100;

/**
 * Lists the changes of the configuration that the role may read, newest first unless `sort` says otherwise. The changes of
 * one row (`resource` and `id`) include those under its former names.
 *
 * @throws AppError `invalid_request` for a cursor that this list did not issue
 */
export async function listChanges(query: ChangeQuery, reader: Role): Promise<Page<ChangeRow>> {
  const where = await filtersOf(query, reader);
  const [direction, comparison] = query.sort === "at" ? (["asc", "gt"] as const) : (["desc", "lt"] as const);
  const after = query.cursor === undefined ? {} : { id: { [comparison]: idOf(query.cursor, refusedCursor) } };
  // Writers run one after the other, so ids grow with time.
  const [rows, counted] = await Promise.all([
    db().change.findMany({ where: { AND: [where, after] }, orderBy: { id: direction }, take: query.limit + 1 }),
    db().change.count({ where, take: MAX_COUNTED + 1 }),
  ]);
  const items = rows.slice(0, query.limit).map(toChangeRow);
  return { items, nextCursor: rows.length > query.limit ? (items.at(-1)?.id ?? null) : null, ...toTotal(counted) };
}

/** One change. @throws AppError `not_found`, also for a change that the role may not read */
export async function getChange(id: string, reader: Role): Promise<ChangeRow> {
  const where = { id: idOf(id, noSuchChange), resource: { notIn: hiddenFrom(reader) } };
  const row = await db().change.findFirst({ where });
  if (row === null) throw noSuchChange();
  return toChangeRow(row);
}

async function filtersOf(query: ChangeQuery, reader: Role): Promise<Prisma.ChangeWhereInput> {
  const { q, from, to, action, resource, id, actor, revision } = query;
  const former = resource === undefined || id === undefined ? [] : await formerNames(resource, id);
  return {
    resource: { notIn: hiddenFrom(reader), ...(resource !== undefined && { equals: resource }) },
    at: { ...(from !== undefined && { gte: new Date(from) }), ...(to !== undefined && { lt: new Date(to) }) },
    ...(action !== undefined && { action }),
    ...(id !== undefined && {
      AND: { OR: [{ rowId: id }, ...former.map(({ name, until }) => ({ rowId: name, id: { lte: until } }))] },
    }),
    ...(actor !== undefined && { actor }),
    ...(revision !== undefined && { revision }),
    ...(q !== undefined &&
      q.trim() !== "" && {
        OR: ["rowId", "actor"].map((column) => ({ [column]: { contains: q.trim(), mode: "insensitive" } })),
      }),
  };
}

/** The former names of a row, also those of other rows that had one of its names before it. */
function formerNames(resource: string, id: string): Promise<FormerName[]> {
  return db().$queryRaw`
    WITH RECURSIVE former (name, until) AS (
      SELECT ${id}::text, 9223372036854775807
      UNION
      SELECT change."rowId", change.id
      FROM former
      JOIN change ON coalesce(after->>'id', after->>'name') = former.name AND change.id < former.until
      WHERE resource = ${resource} AND action = 'update' AND coalesce(after->>'id', after->>'name') <> "rowId"
    )
    SELECT name, until FROM former OFFSET 1 LIMIT ${MAX_FORMER_NAMES}`;
}

/** A stored change as the API returns it. */
export function toChangeRow({ kind, actor, role, ...row }: Stored): ChangeRow {
  return changeRow.parse({
    ...row,
    id: String(row.id),
    at: row.at.toISOString(),
    actor: { kind, name: actor, role },
  });
}

function idOf(text: string, refuse: () => AppError): bigint {
  if (/^\d{1,18}$/.test(text)) return BigInt(text);
  throw refuse();
}

/** The error for a cursor that a list did not issue. */
export function refusedCursor(): AppError {
  return new AppError("invalid_request", "The query is not valid.", {
    errors: [{ path: "cursor", message: "not a cursor of this list" }],
  });
}

function noSuchChange(): AppError {
  return new AppError("not_found", "There is no such change.");
}
