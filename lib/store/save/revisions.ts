import { append } from "@/lib/access/model/lists";
import { AppError } from "@/lib/errors";
import { hiddenFrom } from "@/lib/resources/hidden-from";
import { MAX_COUNTED, toTotal, type Page } from "@/lib/contracts/changes/list";
import type { Role } from "@/lib/resources/permissions";
import {
  revisionDetail,
  revisionRow,
  type RevisionDetail,
  type RevisionQuery,
  type RevisionRow,
} from "@/lib/contracts/changes/revision";
import { db } from "@/lib/store/db/database";
import { refusedCursor, toChangeRow } from "@/lib/store/save/changes";

/** Most changes in one answer. The changes page, filtered by revision, shows the others. */
const MAX_CHANGES = 500;

/** Most changes that a list shows of a revision. */
const MAX_FIRST = 3;

/** Lists revisions, newest first, with those of their changes that the role may read. @throws AppError `invalid_request` for a cursor that this list did not issue */
export async function listRevisions({ limit, cursor }: RevisionQuery, reader: Role): Promise<Page<RevisionRow>> {
  const where = cursor === undefined ? {} : { number: { lt: numberOf(cursor) } };
  const [rows, total] = await Promise.all([
    db().revision.findMany({ where, orderBy: { number: "desc" }, take: limit + 1 }),
    db().revision.count({ take: MAX_COUNTED + 1 }),
  ]);
  const page = rows.slice(0, limit);
  const numbers = page.map(({ number }) => number);
  const [changes, first] = await Promise.all([countChanges(numbers), firstChanges(numbers, reader)]);
  const items = page.map((row) =>
    revisionRow.parse({ ...factsOf(row, changes.get(row.number) ?? 0), first: first.get(row.number) ?? [] }),
  );
  return { items, nextCursor: rows.length > limit ? String(items.at(-1)?.number) : null, ...toTotal(total) };
}

/** Counts the changed rows of these revisions. As part of the list query, Prisma would count those of all revisions. */
async function countChanges(numbers: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const found = await db().change.groupBy({ by: "revision", where: { revision: { in: [...numbers] } }, _count: true });
  return new Map(found.map(({ revision, _count }) => [revision, _count]));
}

type FirstChange = RevisionRow["first"][number] & { readonly revision: number };

/** The first changes of each of these revisions. A revision may have thousands, so each is read by its index. */
async function firstChanges(
  numbers: readonly number[],
  reader: Role,
): Promise<ReadonlyMap<number, readonly FirstChange[]>> {
  const rows = await db().$queryRaw<FirstChange[]>`
    SELECT first.* FROM unnest(${numbers}::int[]) AS number CROSS JOIN LATERAL (
      SELECT "revision", "resource", "rowId" AS "id", "action" FROM change
      WHERE "revision" = number AND "resource" <> ALL(${hiddenFrom(reader)}::text[]) ORDER BY change."id" LIMIT ${MAX_FIRST}
    ) first`;
  const byRevision = new Map<number, FirstChange[]>();
  for (const row of rows) append(byRevision, row.revision, row);
  return byRevision;
}

/** One revision with those of its changes that the role may read. @throws AppError `not_found` */
export async function getRevision(number: number, reader: Role): Promise<RevisionDetail> {
  const row = await db().revision.findUnique({
    where: { number },
    include: {
      _count: { select: { changes: true } },
      changes: { where: { resource: { notIn: hiddenFrom(reader) } }, orderBy: { id: "asc" }, take: MAX_CHANGES },
    },
  });
  if (row === null) throw new AppError("not_found", `There is no revision ${number}.`);
  const rows = row.changes.map(toChangeRow);
  return revisionDetail.parse({
    ...factsOf(row, row._count.changes),
    first: rows.slice(0, MAX_FIRST).map(({ resource, rowId, action }) => ({ resource, id: rowId, action })),
    rows,
  });
}

interface Stored {
  readonly number: number;
  readonly at: Date;
  readonly kind: string;
  readonly actor: string;
  readonly role: string;
  readonly note: string;
}

function factsOf({ number, at, kind, actor, role, note }: Stored, changes: number): object {
  return { number, at: at.toISOString(), actor: { kind, name: actor, role }, note, changes };
}

function numberOf(cursor: string): number {
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor);
  throw refusedCursor();
}
