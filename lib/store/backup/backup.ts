import { Client } from "pg";
import { to as copyTo } from "pg-copy-streams";
import { z } from "zod";
import { currentPrefix } from "@/lib/store/keys/cipher";

/** What the first line of a backup says, behind `HEADER`. */
export const backupHeader = z.strictObject({
  format: z.literal(1),
  /** When the state was that the backup holds, ISO 8601. */
  at: z.string(),
  /** The PostgreSQL that it was read from. */
  server: z.string(),
  /** The migrations that its tables are of, in order. */
  migrations: z.array(z.string()),
  /** Names the MASTER_KEY of the installation without telling it: what values sealed under it begin with. */
  key: z.string(),
});
/** The first line, parsed. */
export type BackupHeader = z.infer<typeof backupHeader>;

/** What the last line says, behind `END`: without it the file was cut short. */
export const backupEnd = z.strictObject({ rows: z.record(z.string(), z.number().int()) });
/** The last line, parsed. */
export type BackupEnd = z.infer<typeof backupEnd>;

/** How the first line begins: to SQL it is a comment. */
export const HEADER = "-- quartermaster backup ";
/** How the last line begins. */
export const END = "-- quartermaster end ";

/** The process that calls of before the backup are taken from: it is long gone, and its calls are closed as those of a dead one. */
const BEFORE = "before the backup";

interface Table {
  /** Quoted, where it has to be. */
  readonly name: string;
  readonly columns: string;
  /** Tables that it refers to. */
  readonly refers: readonly string[];
}

/**
 * All rows of the installation as one state of the database, while it goes on: an SQL script of `COPY … FROM stdin` as
 * pg_dump makes it, for a database with the same migrations and no rows. The queue of calls is not in it: calls that were
 * under way are closed as `interrupted`, or run again where twice is once, as after the death of a process.
 *
 * @param done called at the end with the rows of each table
 * @throws whatever the store throws
 */
export async function* writeBackup(
  databaseUrl: string,
  done: (rows: BackupEnd["rows"]) => void = () => {},
): AsyncGenerator<string | Buffer> {
  // As the database's user: the app's role need not see every table that a later version has.
  const client = new Client({ connectionString: databaseUrl, application_name: "quartermaster backup" });
  await client.connect();
  try {
    // Only reading, so it takes no transaction number and holds no seal back.
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    yield `${HEADER}${JSON.stringify(await readHeader(client))}\n`;
    const tables = await readTables(client);
    for (const { name } of tables.toReversed()) yield `DELETE FROM ${name};\n`;
    for (const month of await readMonths(client)) yield `SELECT add_log_month('${month}');\n`;
    const rows: BackupEnd["rows"] = {};
    for (const table of tables) {
      yield `COPY ${table.name} (${table.columns}) FROM stdin;\n`;
      const copied = client.query(copyTo(`COPY (SELECT ${table.columns} FROM ${table.name}) TO STDOUT`));
      yield* copied as AsyncIterable<Buffer>;
      yield "\\.\n";
      rows[table.name] = copied.rowCount;
    }
    for (const { name, last } of await readSequences(client)) yield `SELECT setval('${name}', ${last});\n`;
    yield `INSERT INTO instance (id, "seenAt") VALUES ('${BEFORE}', 'epoch') ON CONFLICT DO NOTHING;\n`;
    yield `UPDATE kept_call SET status = 'running', instance = '${BEFORE}' WHERE status = 'queued';\n`;
    yield `${END}${JSON.stringify({ rows } satisfies BackupEnd)}\n`;
    await client.query("COMMIT");
    done(rows);
  } finally {
    await client.end();
  }
}

async function readHeader(client: Client): Promise<BackupHeader> {
  const { rows } = await client.query<{ at: Date; server: string; migrations: string[] }>(
    `SELECT now() AS at, current_setting('server_version') AS server, array(SELECT migration_name::text FROM _prisma_migrations
      WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name) AS migrations`,
  );
  const [{ at, server, migrations } = { at: new Date(), server: "", migrations: [] }] = rows;
  return { format: 1, at: at.toISOString(), server, migrations, key: currentPrefix() };
}

/** Every table but the history of migrations, each after those that it refers to; partitions go with their parent. */
async function readTables(client: Client): Promise<readonly Table[]> {
  const { rows } = await client.query<Table>(
    `SELECT quote_ident(relname) AS name,
       (SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute
         WHERE attrelid = t.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '') AS columns,
       array(SELECT quote_ident(other.relname) FROM pg_constraint c JOIN pg_class other ON other.oid = c.confrelid
         WHERE c.conrelid = t.oid AND c.contype = 'f' AND c.confrelid <> t.oid) AS refers
     FROM pg_class t WHERE relnamespace = current_schema::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
       AND relname <> '_prisma_migrations' ORDER BY relname`,
  );
  const sorted: Table[] = [];
  for (let left = rows; left.length > 0;) {
    const known = new Set(sorted.map(({ name }) => name));
    const ready = left.filter(({ refers }) => refers.every((name) => known.has(name)));
    if (ready.length === 0) throw new Error(`${left.map(({ name }) => name).join(", ")} refer to each other.`);
    sorted.push(...ready);
    left = left.filter((table) => !ready.includes(table));
  }
  return sorted;
}

/** First days of the months that calls are of: their tables are made before their rows come. */
async function readMonths(client: Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ month: string }>(
    `SELECT DISTINCT to_char("at" AT TIME ZONE 'UTC', 'YYYY-MM-01') AS month FROM execution WHERE isfinite("at") ORDER BY month`,
  );
  return rows.map(({ month }) => month);
}

async function readSequences(client: Client): Promise<readonly { readonly name: string; readonly last: string }[]> {
  const { rows } = await client.query<{ name: string; last: string }>(
    `SELECT quote_ident(sequencename) AS name, last_value AS last FROM pg_sequences
     WHERE schemaname = current_schema AND last_value IS NOT NULL ORDER BY name`,
  );
  return rows;
}
