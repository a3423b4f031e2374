import { AppError } from "@/lib/errors";
import { db } from "@/lib/store/db/database";
import { KnownRows } from "@/lib/store/snapshot/known-rows";
import { loadRows, SNAPSHOT_KINDS, type Reading } from "@/lib/store/snapshot/load";
import { idOf, toColumns } from "@/lib/store/config/tables";
import type { Kind, Stored, Value } from "@/lib/store/config/values";

/** The fields of a change row that undoing it needs. */
interface Step {
  readonly revision: number;
  readonly at: Date;
  readonly resource: string;
  readonly rowId: string;
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * Loads the rows of an older revision: takes today's rows and undoes every later change, newest first. Leaves out kinds
 * that no resolution reads.
 *
 * @throws AppError `not_found` for a revision that never existed
 */
export async function loadRowsAt(revision: number): Promise<Reading> {
  const { rows, beside, ...current } = await loadRows(new KnownRows(), (tx) =>
    tx.change.findMany({
      where: { revision: { gt: revision }, resource: { in: [...SNAPSHOT_KINDS] } },
      orderBy: { id: "desc" },
    }),
  );
  if (revision > current.revision || revision < 0)
    throw new AppError("not_found", `There is no revision ${revision}: the newest is ${current.revision}.`);
  const past = Object.fromEntries(Object.entries(rows).map(([kind, of]) => [kind, new Map(of)]));
  for (const step of beside ?? []) undo(past[step.resource] ?? new Map(), step);
  return { revision, rows: past as unknown as Reading["rows"] };
}

/** The policy of a revision that has changed or gone since; `null` = it is still the same. @throws AppError `config_unavailable` */
export async function formerPolicy(name: string, revision: number): Promise<Value<"policies"> | null> {
  const later = await db().change.findFirst({
    where: { resource: "policies", rowId: name, revision: { gt: revision } },
    orderBy: { id: "asc" },
    select: { before: true },
  });
  return (later?.before ?? null) as Value<"policies"> | null;
}

function undo(rows: Map<string, Stored<Kind>>, { resource, rowId, before, after, revision, at }: Step): void {
  const kind = resource as Kind;
  if (after !== null) rows.delete(idOf(kind, after as Value<Kind>));
  if (before !== null) rows.set(rowId, revived(kind, before as Value<Kind>, revision - 1, at.toISOString()));
}

/** Turns a value of the history into a row. Change rows lack its revision and times, so this uses the nearest known ones. */
function revived(kind: Kind, value: Value<Kind>, revision: number, at: string): Stored<Kind> {
  const derived = kind === "tools" ? { definitionHash: toColumns(kind, value)["definitionHash"] } : {};
  return { ...value, ...derived, revision, createdAt: at, updatedAt: at } as unknown as Stored<Kind>;
}
