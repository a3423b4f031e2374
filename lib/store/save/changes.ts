import { AppError } from "@/lib/errors";
import { changeRow, type ChangeQuery, type ChangeRow } from "@/lib/contracts/changes/change";
import { hiddenFrom } from "@/lib/resources/hidden-from";
import { MAX_COUNTED, toTotal, type Page } from "@/lib/contracts/changes/list";
import type { Role } from "@/lib/resources/permissions";
import { db } from "@/lib/store/db/database";
import type { Prisma } from "@/lib/store/generated/client";

type Stored = Awaited<ReturnType<ReturnType<typeof db>["change"]["findMany"]>>[number];

/**
 * Lists the changes of the configuration that the role may read, newest first unless `sort` says otherwise.
 *
 * @throws AppError `invalid_request` for a cursor that this list did not issue
 */
export async function listChanges(query: ChangeQuery, reader: Role): Promise<Page<ChangeRow>> {
  const where = filtersOf(query, reader);
  const [direction, beyond] = query.sort === "at" ? (["asc", "gt"] as const) : (["desc", "lt"] as const);
  const after = query.cursor === undefined ? {} : { id: { [beyond]: idOf(query.cursor, refusedCursor) } };
  // Writers run one after the other, so ids grow with time.
  const [rows, counted] = await Promise.all([
    db().change.findMany({ where: { AND: [where, after] }, orderBy: { id: direction }, take: query.limit + 1 }),
    db().change.count({ where, take: MAX_COUNTED + 1 }),
  ]);
  const items = rows.slice(0, query.limit).map(toRow);
  return { items, nextCursor: rows.length > query.limit ? (items.at(-1)?.id ?? null) : null, ...toTotal(counted) };
}

/** One change. @throws AppError `not_found`, also for a change that the role may not read */
export async function getChange(id: string, reader: Role): Promise<ChangeRow> {
  const where = { id: idOf(id, noSuchChange), resource: { notIn: hiddenFrom(reader) } };
  const row = await db().change.findFirst({ where });
  if (row === null) throw noSuchChange();
  return toRow(row);
}

function filtersOf(query: ChangeQuery, reader: Role): Prisma.ChangeWhereInput {
  const { q, from, to, action, resource, id, actor, revision } = query;
  return {
    resource: { notIn: hiddenFrom(reader), ...(resource !== undefined && { equals: resource }) },
    at: { ...(from !== undefined && { gte: new Date(from) }), ...(to !== undefined && { lt: new Date(to) }) },
    ...(action !== undefined && { action }),
    ...(id !== undefined && { rowId: id }),
    ...(actor !== undefined && { actor }),
    ...(revision !== undefined && { revision }),
    ...(q !== undefined &&
      q.trim() !== "" && {
        OR: ["rowId", "actor"].map((column) => ({ [column]: { contains: q.trim(), mode: "insensitive" } })),
      }),
  };
}

function toRow({ kind, actor, role, ...row }: Stored): ChangeRow {
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

function refusedCursor(): AppError {
  return new AppError("invalid_request", "The query is not valid.", {
    errors: [{ path: "cursor", message: "not a cursor of this list" }],
  });
}

function noSuchChange(): AppError {
  return new AppError("not_found", "There is no such change.");
}
