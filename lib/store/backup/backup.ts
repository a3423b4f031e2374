import { Client } from "pg";
import { to as copyTo } from "pg-copy-streams";
import { z } from "zod";
import { currentPrefix } from "@/lib/store/keys/cipher";

/** The content of a backup's first line, after `HEADER`. */
export const backupHeader = z.strictObject({
  format: z.literal(1),
  /** The time of the database state in the backup, ISO 8601. */
  at: z.string(),
  /** The version of the PostgreSQL server. */
  server: z.string(),
  /** The migrations of its tables, in order. */
  migrations: z.array(z.string()),
  /** Identifies the installation's MASTER_KEY without revealing it: the prefix of values sealed under that key. */
  key: z.string(),
});
/** The parsed first line. */
export type BackupHeader = z.infer<typeof backupHeader>;

/** The content of the last line, after `END`. A file without that line was cut short. */
export const backupEnd = z.strictObject({ rows: z.record(z.string(), z.number().int()) });
/** The parsed last line. */
export type BackupEnd = z.infer<typeof backupEnd>;

/** The beginning of the first line, which is an SQL comment. */
export const HEADER = "-- quartermaster backup ";
/** The beginning of the last line. */
export const END = "-- quartermaster end ";

/** The process name that restored calls get. No such process runs, so the reaper closes these calls. */
const BEFORE = "before the backup";

interface Table {
  /** Quoted if necessary. */
  readonly name: string;
  readonly columns: string;
  /** Tables that its foreign keys refer to. */
  readonly refers: readonly string[];
}

/**
 * Writes all rows of the installation as one state of the database, while it runs: an SQL script of `COPY … FROM stdin`
 * as from pg_dump, for an empty database with the same migrations. Leaves out the call queue: after a restore, calls
 * that were under way end as `interrupted`, or run again if they are repeatable.
 *
 * @param done called at the end with the row count of each table
 * @throws errors of the store
 */
export async function* writeBackup(
  databaseUrl: string,
  done: (rows: BackupEnd["rows"]) => void = () => {},
): AsyncGenerator<string | Buffer> {
  // As the database's user: the app's role may not see every table of a later version.
  const client = new Client({ connectionString: databaseUrl, application_name: "quartermaster backup" });
  // A broken connection fails its next statement. Without a listener, its error event would end the process first.
  client.on("error", () => {});
  await client.connect();
  try {
    // A read-only transaction takes no transaction number, so it delays no seal.
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

/** Every table except the migration history, after the tables that it refers to. A partitioned table covers its partitions. */
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

/**
 * First days of the months that have calls or audit events. The script creates their partitions before it inserts rows. A month
 * without partitions is neither archived nor dropped.
 */
async function readMonths(client: Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ month: string }>(
    `SELECT DISTINCT to_char("at" AT TIME ZONE 'UTC', 'YYYY-MM-01') AS month
     FROM (SELECT "at" FROM execution UNION ALL SELECT "at" FROM audit_event) logged WHERE isfinite("at") ORDER BY month`,
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
