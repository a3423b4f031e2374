import { AppError } from "@/lib/errors";
import { changeRow, type ChangeQuery, type ChangeRow } from "@/lib/resources/change";
import { hiddenFrom } from "@/lib/resources/hidden-from";
import type { Page } from "@/lib/resources/list";
import type { Role } from "@/lib/resources/permissions";
import { db } from "@/lib/store/database";
import { translated } from "@/lib/store/translate";

/**
 * The history of the configuration, newest first, as far as the role may read it.
 *
 * @throws AppError `invalid_request` for a cursor that is none of ours
 */
export async function listChanges(query: ChangeQuery, reader: Role): Promise<Page<ChangeRow>> {
  const where = {
    resource: { notIn: hiddenFrom(reader), ...(query.resource !== undefined && { equals: query.resource }) },
    ...(query.id !== undefined && { rowId: query.id }),
    ...(query.actor !== undefined && { actor: query.actor }),
    ...(query.revision !== undefined && { revision: query.revision }),
  };
  const before = query.cursor === undefined ? {} : { id: { lt: cursorOf(query.cursor) } };
  const [rows, total] = await translated(() =>
    Promise.all([
      db().change.findMany({ where: { ...where, ...before }, orderBy: { id: "desc" }, take: query.limit + 1 }),
      db().change.count({ where }),
    ]),
  );
  const items = rows
    .slice(0, query.limit)
    .map(({ kind, actor, role, ...row }) =>
      changeRow.parse({ ...row, id: String(row.id), at: row.at.toISOString(), actor: { kind, name: actor, role } }),
    );
  return { items, nextCursor: rows.length > query.limit ? (items.at(-1)?.id ?? null) : null, total };
}

function cursorOf(text: string): bigint {
  if (/^\d{1,18}$/.test(text)) return BigInt(text);
  throw new AppError("invalid_request", "The query is not valid.", {
    errors: [{ path: "cursor", message: "not a cursor of this list" }],
  });
}
