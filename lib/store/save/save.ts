import type { Prisma } from "@/lib/store/generated/client";
import type { Actor, AppliedChange, Secret } from "@/lib/store/save/change";
import { inTurns } from "@/lib/store/db/in-turns";
import { textBytes } from "@/lib/store/db/text-bytes";
import { tables, toColumns } from "@/lib/store/config/tables";
import type { Kind } from "@/lib/store/config/values";

/** The input of a save: checked changes and the next revision. */
interface Saving {
  readonly actor: Actor;
  readonly changes: readonly AppliedChange[];
  readonly revision: number;
  readonly now: Date;
  readonly note: string;
  /** Called with the number of rows that are saved, each with its change row. */
  readonly onProgress?: (done: number) => void;
}

/** A row's columns by name, as JSON for the database. */
type Columns = Readonly<Record<string, unknown>>;

/** Rows per statement. A large import runs several statements, each far below its timeout. */
const ROWS_PER_STATEMENT = 100;

/** Saves rows, their change rows, the revision and its notice in the given transaction. */
export async function save(tx: Prisma.TransactionClient, saving: Saving): Promise<void> {
  const { actor, changes, revision, now, note, onProgress } = saving;
  // Each row is written twice: itself and its change row.
  let written = 0;
  const onWritten = (rows: number) => onProgress?.((written += rows) / 2);
  const stamp = { at: now, kind: actor.kind, actor: actor.name, role: actor.role };
  await tx.revision.create({ data: { ...stamp, number: revision, note } });
  for (const kind of new Set(changes.map((change) => change.resource))) await saveRows(tx, kind, saving, onWritten);
  const history = changes.map(({ resource, id, action, before, after }) => ({
    ...stamp,
    revision,
    resource,
    rowId: id,
    action,
    before,
    after,
  }));
  await insert(tx, "change", history, onWritten);
  await tx.$executeRaw`update config_state set revision = ${revision} where id = 1`;
  await tx.$queryRaw`select pg_notify('configuration', ${String(revision)})::text`;
}

/** Deletes first, then renames, then updates: a name or another unique value that one row gives up is free for another. */
async function saveRows(
  tx: Prisma.TransactionClient,
  kind: Kind,
  { changes, revision, now }: Saving,
  onWritten: (rows: number) => void,
): Promise<void> {
  const { table, id: key } = tables[kind];
  const deleted: string[] = [];
  const updated: Updated[] = [];
  const created: Columns[] = [];
  for await (const { resource, id, before, after, secret } of inTurns(changes)) {
    if (resource !== kind) continue;
    if (after === null) deleted.push(id);
    else if (before === null)
      created.push({ ...toColumns(kind, after), ...secretColumns(secret), revision, createdAt: now, updatedAt: now });
    else {
      const columns: Columns = { ...toColumns(kind, after), ...secretColumns(secret), revision, updatedAt: now };
      updated.push({ before: { ...before, [key]: id }, columns });
    }
  }
  if (deleted.length > 0) await tx.$executeRawUnsafe(`delete from "${table}" where "${key}" = any($1)`, deleted);
  await rename(tx, kind, updated);
  await freeUniqueValues(tx, kind, updated);
  const rows = updated.map(({ columns }) => columns);
  await update(tx, table, key, rows, onWritten);
  await insert(tx, table, created, onWritten);
}

/** A row before a save, and its columns after it. */
interface Updated {
  readonly before: Columns;
  readonly columns: Columns;
}

/** Suffix of a value that a row gives up, until the row has its new one. No name, subject, address or e-mail address has a line break. */
const PARKED = "\n";

/** Renames rows. If one takes the name of another, all give up their names first: rows may swap names. */
async function rename(tx: Prisma.TransactionClient, kind: Kind, updated: readonly Updated[]): Promise<void> {
  const { table, id: key } = tables[kind];
  const set = (from: string, to: string) =>
    tx.$executeRawUnsafe(`update "${table}" set "${key}" = $1 where "${key}" = $2`, to, from);
  const renames = updated
    .map(({ before, columns }) => ({ from: String(before[key]), to: String(columns[key]) }))
    .filter(({ from, to }) => from !== to);
  const given = new Set(renames.map(({ from }) => from));
  const parked = renames.some(({ to }) => given.has(to)) ? PARKED : "";
  if (parked !== "") for (const { from } of renames) await set(from, `${from}${parked}`);
  for (const { from, to } of renames) await set(`${from}${parked}`, to);
}

/** Frees the unique values that updated rows give to each other, such as the subjects of agents. Runs after the renames. */
async function freeUniqueValues(tx: Prisma.TransactionClient, kind: Kind, updated: readonly Updated[]): Promise<void> {
  const { table, id: key, unique } = tables[kind];
  if (unique === undefined) return;
  const valueOf = (row: Columns) => JSON.stringify(unique.columns.map((column) => row[column] ?? null));
  const taken = new Map(updated.map(({ columns }) => [valueOf(columns), columns[key]]));
  const leaving = updated.flatMap(({ before, columns }) => {
    const taker = taken.get(valueOf(before));
    return taker === undefined || taker === columns[key] ? [] : [columns[key]];
  });
  const column = unique.columns.at(-1);
  if (leaving.length > 0)
    await tx.$executeRawUnsafe(
      `update "${table}" set "${column}" = "${key}" || $2 where "${key}" = any($1) and "${column}" is not null`,
      leaving,
      PARKED,
    );
}

/**
 * Inserts many rows per statement with one parameter, because an import adds thousands of tools in one transaction. JSON
 * null becomes NULL in every column, and `[]` stays `[]`.
 */
async function insert(
  tx: Prisma.TransactionClient,
  table: string,
  rows: readonly Columns[],
  onWritten: (rows: number) => void,
): Promise<void> {
  for (const { columns, batch } of toBatches(rows)) {
    await tx.$executeRawUnsafe(
      `insert into "${table}" (${columns.join(", ")}) select ${columns.join(", ")}
       from json_populate_recordset(null::"${table}", convert_from($1, 'UTF8')::json)`,
      textBytes(JSON.stringify(batch)),
    );
    onWritten(batch.length);
  }
}

/** Updates many existing rows per statement. */
async function update(
  tx: Prisma.TransactionClient,
  table: string,
  key: string,
  rows: readonly Columns[],
  onWritten: (rows: number) => void,
): Promise<void> {
  for (const { columns, batch } of toBatches(rows)) {
    await tx.$executeRawUnsafe(
      `update "${table}" as row set ${columns.map((column) => `${column} = new.${column}`).join(", ")}
       from json_populate_recordset(null::"${table}", convert_from($1, 'UTF8')::json) as new
       where row."${key}" = new."${key}"`,
      textBytes(JSON.stringify(batch)),
    );
    onWritten(batch.length);
  }
}

/** Splits rows into batches with the same columns. An absent column keeps its default or its present value. */
function toBatches(rows: readonly Columns[]): { columns: string[]; batch: Columns[] }[] {
  const batches = new Map<string, { columns: string[]; batch: Columns[] }[]>();
  for (const row of rows) {
    const columns = Object.keys(row).map(quoted);
    const signature = columns.join();
    const same = batches.get(signature) ?? [];
    const last = same.at(-1);
    if (last === undefined || last.batch.length === ROWS_PER_STATEMENT) same.push({ columns, batch: [row] });
    else last.batch.push(row);
    batches.set(signature, same);
  }
  return [...batches.values()].flat();
}

/** Secrets as columns, with bytes in the text form that Postgres reads. */
function secretColumns(secret: Secret): Columns {
  return Object.fromEntries(
    Object.entries(secret).map(([column, value]) => [
      column,
      typeof value === "string" || value === null ? value : `\\x${Buffer.from(value).toString("hex")}`,
    ]),
  );
}

/** Quotes a column name. Names come from the schemas of `lib/resources`; any other is a defect. */
function quoted(column: string): string {
  if (!/^[A-Za-z]+$/.test(column)) throw new Error(`"${column}" is no column.`);
  return `"${column}"`;
}
