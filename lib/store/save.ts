import { Prisma } from "@/lib/store/generated/client";
import type { Actor, AppliedChange } from "@/lib/store/change";
import { modelOf, tables, toColumns, type Kind, type Value } from "@/lib/store/tables";

/** Rows a statement: large imports are several statements, each well under its timeout. */
const CHUNK = 200;

/** What a save needs: the changes are checked, the revision is the next one. */
export interface Saving {
  readonly actor: Actor;
  readonly changes: readonly AppliedChange[];
  readonly revision: number;
  readonly now: Date;
  readonly note: string;
}

/** Saves rows, their change rows, the revision and its notice, all in the given transaction. */
export async function save(tx: Prisma.TransactionClient, saving: Saving): Promise<void> {
  const { actor, changes, revision, now, note } = saving;
  const who = { kind: actor.kind, actor: actor.name, role: actor.role };
  await tx.revision.create({ data: { number: revision, at: now, ...who, note } });
  await saveRows(tx, saving);
  for (const part of chunks(changes))
    await tx.change.createMany({
      data: part.map(({ resource, id, action, before, after }) => ({
        ...who,
        revision,
        at: now,
        resource,
        rowId: id,
        action,
        before: json(before),
        after: json(after),
      })),
    });
  await tx.$executeRaw`update config_state set revision = ${revision} where id = 1`;
  await tx.$queryRaw`select pg_notify('configuration', ${String(revision)})::text`;
}

/** Deletes first, so that a name which leaves one row is free for another. */
async function saveRows(tx: Prisma.TransactionClient, { changes, revision, now }: Saving): Promise<void> {
  for (const kind of new Set(changes.map((change) => change.resource))) {
    const model = modelOf(tx, kind);
    const { id } = tables[kind];
    const of = changes.filter((change) => change.resource === kind);
    for (const part of chunks(of.filter(({ after }) => after === null)))
      await model.deleteMany({ where: { [id]: { in: part.map((change) => change.id) } } });
    for (const { id: was, before, after } of of)
      if (before !== null && after !== null)
        await model.update({ where: { [id]: was }, data: { ...toColumns(kind, after), revision, updatedAt: now } });
    const created = of.flatMap(({ before, after, secret }) =>
      before === null && after !== null
        ? [{ ...toColumns(kind, after), ...secret, revision, createdAt: now, updatedAt: now }]
        : [],
    );
    for (const part of chunks(created)) await model.createMany({ data: part });
  }
}

function json(value: Value<Kind> | null): Prisma.InputJsonValue | typeof Prisma.DbNull {
  return value === null ? Prisma.DbNull : (value as unknown as Prisma.InputJsonValue);
}

function chunks<T>(items: readonly T[]): T[][] {
  const parts: T[][] = [];
  for (let start = 0; start < items.length; start += CHUNK) parts.push(items.slice(start, start + CHUNK));
  return parts;
}
