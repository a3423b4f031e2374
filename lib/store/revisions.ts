import { AppError } from "@/lib/errors";
import { changeRow } from "@/lib/resources/change";
import { hiddenFrom } from "@/lib/resources/hidden-from";
import type { Page } from "@/lib/resources/list";
import type { Role } from "@/lib/resources/permissions";
import {
  revisionDetail,
  revisionRow,
  type RevisionDetail,
  type RevisionQuery,
  type RevisionRow,
} from "@/lib/resources/revision";
import { db } from "@/lib/store/database";
import { translated } from "@/lib/store/translate";

/** Changes that one answer shows; the rest are on the changes page, filtered by revision. */
const MOST_CHANGES = 500;

const counted = { _count: { select: { changes: true } } } as const;

/** Saved changes, newest first. @throws AppError `invalid_request` for a cursor that is none of ours */
export async function listRevisions({ limit, cursor }: RevisionQuery): Promise<Page<RevisionRow>> {
  const where = cursor === undefined ? {} : { number: { lt: numberOf(cursor) } };
  const [rows, total] = await translated(() =>
    Promise.all([
      db().revision.findMany({ where, orderBy: { number: "desc" }, take: limit + 1, include: counted }),
      db().revision.count(),
    ]),
  );
  const items = rows.slice(0, limit).map((row) => revisionRow.parse(factsOf(row)));
  return { items, nextCursor: rows.length > limit ? String(items.at(-1)?.number) : null, total };
}

/** One revision and what it changed, as far as the role may read it. @throws AppError `not_found` */
export async function getRevision(number: number, reader: Role): Promise<RevisionDetail> {
  const row = await translated(() =>
    db().revision.findUnique({
      where: { number },
      include: {
        ...counted,
        changes: { where: { resource: { notIn: hiddenFrom(reader) } }, orderBy: { id: "asc" }, take: MOST_CHANGES },
      },
    }),
  );
  if (row === null) throw new AppError("not_found", `There is no revision ${number}.`);
  const rows = row.changes.map(({ kind, actor, role, ...change }) =>
    changeRow.parse({
      ...change,
      id: String(change.id),
      at: change.at.toISOString(),
      actor: { kind, name: actor, role },
    }),
  );
  return revisionDetail.parse({ ...factsOf(row), rows });
}

interface Counted {
  readonly number: number;
  readonly at: Date;
  readonly kind: string;
  readonly actor: string;
  readonly role: string;
  readonly note: string;
  readonly _count: { readonly changes: number };
}

function factsOf({ number, at, kind, actor, role, note, _count }: Counted): object {
  return { number, at: at.toISOString(), actor: { kind, name: actor, role }, note, changes: _count.changes };
}

function numberOf(cursor: string): number {
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor);
  throw new AppError("invalid_request", "The query is not valid.", {
    errors: [{ path: "cursor", message: "not a cursor of this list" }],
  });
}
