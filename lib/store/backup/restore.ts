import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Client } from "pg";
import { from as copyFrom } from "pg-copy-streams";
import type { z } from "zod";
import { backupEnd, backupHeader, END, HEADER, type BackupEnd, type BackupHeader } from "@/lib/store/backup/backup";
import { currentPrefix, previousPrefixes } from "@/lib/store/keys/cipher";

/** A problem with a backup or with restoring it here. The message says what to do. */
export class RestoreProblem extends Error {}

/** The header and the row counts of a restored backup. */
export interface Restored extends BackupEnd {
  readonly header: BackupHeader;
}

const NEWLINE = 10;
const COPY_ENDS = Buffer.from("\\.\n");
/** Tables that migrations fill. The restore replaces their rows. */
const FILLED_BY_MIGRATIONS = ["config_state", "usage_cursor"];

/**
 * Fills an empty database with the rows of a backup, in one transaction. Trusts the backup as `psql` trusts a dump: runs
 * its statements as they are.
 *
 * @param bytes the output of `writeBackup`
 * @param migrate applies exactly the backup's migrations to the database, and returns their names here
 * @throws RestoreProblem when the file is incomplete or from another MASTER_KEY, or when the database holds rows
 */
export async function restoreBackup(
  databaseUrl: string,
  bytes: AsyncIterable<Buffer>,
  migrate: (names: readonly string[]) => Promise<readonly string[]>,
): Promise<Restored> {
  const lines = new Lines(bytes);
  const header = parseLine(await lines.next(), HEADER, backupHeader);
  if (header === null) throw new RestoreProblem("This is not a backup of `npx quartermaster backup`.");
  if (![currentPrefix(), ...previousPrefixes()].includes(header.key))
    throw new RestoreProblem(
      "The backup is of an installation with another MASTER_KEY, without which its secrets cannot be read. " +
        "Set MASTER_KEY to the key of that installation, or copy its secrets.json into DATA_DIR.",
    );
  const client = new Client({ connectionString: databaseUrl, application_name: "quartermaster restore" });
  // A broken connection fails its next statement. Without a listener, its error event would end the process first.
  client.on("error", () => {});
  await client.connect();
  try {
    // A database in use must not even be migrated: its processes may be of an older version.
    await requireEmpty(client);
    await requireNotNewer(client, await migrate(header.migrations));
    await client.query("BEGIN");
    const rows = await load(client, lines);
    await client.query("COMMIT");
    // The query planner needs statistics before the first autovacuum.
    await client.query("ANALYZE");
    return { header, rows };
  } finally {
    // Closing the connection rolls back an uncommitted transaction.
    await client.end();
  }
}

async function requireNotNewer(client: Client, migrations: readonly string[]): Promise<void> {
  const ahead = await client.query<{ name: string }>(
    "SELECT migration_name AS name FROM _prisma_migrations WHERE migration_name <> ALL ($1)",
    [migrations],
  );
  if (ahead.rows[0] !== undefined)
    throw new RestoreProblem(
      `The database has a newer schema than the backup, with ${ahead.rows[0].name}. Restore into an empty database. The restore migrates it.`,
    );
}

async function requireEmpty(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema::regnamespace AND relkind IN ('r', 'p')
       AND NOT relispartition AND relname <> ALL ($1)`,
    [["_prisma_migrations", ...FILLED_BY_MIGRATIONS]],
  );
  for (const { name } of rows) {
    const found = await client.query(`SELECT FROM ${client.escapeIdentifier(name)} LIMIT 1`);
    if (found.rowCount !== 0)
      throw new RestoreProblem(`The database is in use: ${name} has rows. Restore into an empty database.`);
  }
}

/** Runs the script up to its last line. @returns the row count of each table, checked against that line */
async function load(client: Client, lines: Lines): Promise<BackupEnd["rows"]> {
  const loaded: Record<string, number> = {};
  for (let line = await lines.next(); line !== null; line = await lines.next()) {
    const end = parseLine(line, END, backupEnd);
    if (end !== null) {
      const differs = Object.keys({ ...end.rows, ...loaded }).find((name) => end.rows[name] !== loaded[name]);
      if (differs === undefined) return loaded;
      throw new RestoreProblem(
        `The backup is damaged: ${differs} has ${loaded[differs] ?? "no"} rows instead of ${end.rows[differs] ?? "none"}.`,
      );
    }
    const table = /^COPY (\S+) \(/.exec(line)?.[1];
    if (table === undefined) await client.query(line);
    else {
      const copy = client.query(copyFrom(line.replace(/;\n$/, "")));
      await pipeline(Readable.from(lines.untilCopyEnds()), copy);
      loaded[table] = copy.rowCount;
    }
  }
  throw new RestoreProblem("The backup ends before its last line: it was cut short. Use another backup.");
}

function parseLine<T extends z.ZodType>(line: string | null, mark: string, shape: T): z.infer<T> | null {
  if (line === null || !line.startsWith(mark)) return null;
  try {
    return shape.parse(JSON.parse(line.slice(mark.length)));
  } catch (cause) {
    throw new RestoreProblem(`The backup is damaged, or of a newer version: ${line.slice(0, 200).trim()}`, { cause });
  }
}

/** Splits bytes into lines. Not `readline`, which also ends lines at characters other than a line feed. */
class Lines {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(bytes: AsyncIterable<Buffer>) {
    this.#chunks = bytes[Symbol.asyncIterator]();
  }

  /** The next line with its line feed; `null` after the last one. */
  async next(): Promise<string | null> {
    for (;;) {
      const end = this.#rest.indexOf(NEWLINE);
      if (end >= 0) return this.#take(end + 1).toString("utf8");
      if (!(await this.#more())) return null;
    }
  }

  /** Whole lines up to the line that ends a COPY. Consumes that line without returning it. */
  async *untilCopyEnds(): AsyncGenerator<Buffer> {
    for (;;) {
      const end = this.#copyEnd();
      if (end >= 0) {
        const last = this.#take(end);
        this.#take(COPY_ENDS.length);
        if (last.length > 0) yield last;
        return;
      }
      const whole = this.#rest.lastIndexOf(NEWLINE) + 1;
      if (whole > 0) yield this.#take(whole);
      if (!(await this.#more())) throw new RestoreProblem("The backup ends within a table: it was cut short.");
    }
  }

  /** COPY doubles each backslash of a row, so the end mark can only be a line by itself. */
  #copyEnd(): number {
    if (this.#rest.subarray(0, COPY_ENDS.length).equals(COPY_ENDS)) return 0;
    const before = this.#rest.indexOf(Buffer.concat([Buffer.of(NEWLINE), COPY_ENDS]));
    return before < 0 ? -1 : before + 1;
  }

  #take(count: number): Buffer {
    const taken = this.#rest.subarray(0, count);
    this.#rest = this.#rest.subarray(count);
    return taken;
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#chunks.next();
    if (done === true) return false;
    this.#rest = this.#rest.length === 0 ? value : Buffer.concat([this.#rest, value]);
    return true;
  }
}
