import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Client } from "pg";
import { restoreFile } from "@/bin/commands/restore";
import { deployMigrations } from "@/bin/migrations";
import { migrationNames } from "@/lib/server/migration-names";
import { startPostgres } from "@/bin/boot/postgres.mjs";
import { runCommand } from "@/bin/quartermaster.ts";
import { verifyLog } from "@/lib/audit/verify/verify";
import { closeDatabase } from "@/lib/store/db/database";
import { keyOf, save } from "@/test/api/agents-world";
import { LogWorld } from "@/test/audit/log-world";
import { useDatabase } from "@/test/support/database";
import { sibling } from "@/test/support/local-database";

const database = useDatabase();
const folder = mkdtempSync(join(tmpdir(), "quartermaster-backup-"));
const file = join(folder, "backup.sql.gz");
const [baseline, ...later] = migrationNames(process.cwd());
/** Characters that end a line to some, that COPY writes in its own way, and that would end it. */
const AWKWARD = "tab\t line\n return\r backslash\\ mark\\.\n\\.\n separator\u2028 next\u0085 😀";
/** A cluster whose transactions are numbered by itself. */
let other: Awaited<ReturnType<typeof startPostgres>>;

beforeAll(async () => {
  chmodSync(folder, 0o711);
  other = await startPostgres({ dataDir: folder, throwaway: true });
  const world = new LogWorld(database);
  await world.call();
  await save({
    apiVersion: "quartermaster/v1",
    personas: [{ name: "awkward", description: AWKWARD, sampleClaims: { text: AWKWARD } }],
  });
  await keyOf("stranger");
  await spendTransactions(20_000);
  await world.seal();
  // Not sealed yet, and under way.
  await world.call();
  await database.query(
    `insert into kept_call ("callId", principal, "bodyDigest", status, job, repeatable, at, "endsAt")
     values ('call_queued', 'p', 'd', 'queued', 'job', false, now(), now() + interval '1 day')`,
  );
  // As in a database that was restored itself a moment ago.
  await database.query(`insert into instance (id, "seenAt") values ('before the backup', 'epoch')`);
  await runCommand(["backup", file], { out: () => {}, error: () => {} });
});
afterAll(async () => {
  await closeDatabase();
  await other.stop();
  rmSync(folder, { recursive: true });
});

/** Numbers of transactions of this cluster: it is ahead of one that was just made, as one that has been used is. */
async function spendTransactions(count: number): Promise<void> {
  await database.query("create temp table spent (n int)");
  await database.query(
    `do $$ begin for n in 1..${count} loop begin insert into spent values (n); exception when others then null; end; end loop; end $$`,
  );
}

/** An empty database of the other cluster. */
async function emptyDatabase(): Promise<string> {
  const name = `restored_${randomBytes(4).toString("hex")}`;
  await ask(other.url, `create database ${name}`);
  return sibling(other.url, name);
}

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** A backup whose text is another. */
function altered(change: (text: string) => string): string {
  const path = join(folder, `altered-${randomBytes(4).toString("hex")}.sql.gz`);
  writeFileSync(path, gzipSync(change(gunzipSync(readFileSync(file)).toString("utf8"))));
  return path;
}

describe("a backup", () => {
  it("is restored in another cluster with every row unchanged, except calls in progress", async () => {
    const url = await emptyDatabase();
    const { rows } = await restoreFile(file, url);
    for (const table of Object.keys(rows).filter((name) => !["instance", "kept_call"].includes(name))) {
      const sql = `select to_json(t)::text as row from ${table} t order by 1`;
      expect([table, await ask(url, sql)]).toEqual([table, await database.query(sql)]);
    }
    expect(rows).toMatchObject({ execution: 6, execution_outcome: 6, api_key: 2 });
    const sequences = `select sequencename, last_value from pg_sequences where schemaname = 'public' order by 1`;
    expect(await ask(url, sequences)).toEqual(await database.query(sequences));
    expect(await ask(url, `select status, instance from kept_call where "callId" = 'call_queued'`)).toEqual([
      { status: "running", instance: "before the backup" },
    ]);
  });

  it("is drilled: its log is verified, an agent's list and call are answered, and new rows are sealed in a new era", async () => {
    const logged = await database.query("select count(*)::int as logged from execution");
    const url = process.env["DATABASE_URL"] ?? "";
    const settings = { NODE_ENV: "production", DATA_DIR: join(folder, "drill"), DATABASE_APP_URL: url };
    const env = { ...process.env, ...settings } as NodeJS.ProcessEnv;
    const { stdout } = await promisify(execFile)(process.execPath, ["scripts/drill.mjs", file], { env });
    expect(stdout).toMatch(/^verified .* 6 rows .* of 1 eras/m);
    expect(stdout).toMatch(/^asked .* as reader: \d+ tools; a call of builtin:calculate succeeded/m);
    expect(stdout).toMatch(/^verified .* of 2 eras/m);
    // The call was made in the copy.
    expect(await database.query("select count(*)::int as logged from execution")).toEqual(logged);
  }, 120_000);

  it("interrupts nothing: the log stays intact, and the source is unchanged", async () => {
    expect(await verifyLog({ checkpoints: [] })).toMatchObject({ intact: true });
    expect(await database.query(`select status from kept_call`)).toEqual([{ status: "queued" }]);
  });

  it("of a month with audit events alone has the tables of that month, so that it is archived and dropped", async () => {
    await database.query(
      `insert into audit_event (at, kind, actor, role, action, target)
       values ('2026-02-05', 'user', 'ada@localhost', 'admin', 'people.signed_in', 'ada')`,
    );
    const path = join(folder, "events.sql.gz");
    await runCommand(["backup", path], { out: () => {}, error: () => {} });
    const url = await emptyDatabase();
    await restoreFile(path, url);
    expect(await ask(url, "select to_regclass('execution_2026_02')::text as made")).toEqual([
      { made: "execution_2026_02" },
    ]);
  });

  it("is readable by its owner only, and replaces no file", async () => {
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const errors: string[] = [];
    expect(await runCommand(["backup", file], { out: () => {}, error: (text) => errors.push(text) })).toBe(2);
    expect(errors.join()).toContain("already exists");
  });

  it.skipIf(later.length === 0)("of an older version is restored into its own tables, then migrated", async () => {
    const url = await emptyDatabase();
    const last = later.at(-1) ?? "";
    // Tables and columns that the last migration made are not in such a backup.
    const before = await columnsOf((name) => name !== last);
    const older = altered((text) => withColumns(text, before).replace(`,"${last}"]`, "]"));
    await restoreFile(older, url);
    const applied = await ask(url, "select migration_name as name from _prisma_migrations order by 1");
    expect(applied.map(({ name }) => name)).toEqual(migrationNames(process.cwd()));
  });

  it("of the version before the baseline is restored into the baseline's tables", async () => {
    const url = await emptyDatabase();
    const baselineColumns = await columnsOf((name) => name === baseline);
    const replaced = `"migrations":["20260101000000_init","20261123040451_drift_held_by_hand"]`;
    await restoreFile(
      altered((text) => withColumns(text, baselineColumns).replace(/"migrations":\[[^\]]*\]/, replaced)),
      url,
    );
    expect(await ask(url, "select name from persona")).toEqual([{ name: "awkward" }]);
    const applied = await ask(url, "select migration_name as name from _prisma_migrations order by 1");
    expect(applied.map(({ name }) => name)).toEqual(migrationNames(process.cwd()));
  });
});

/** Columns by table of a database that has some of the migrations. */
async function columnsOf(isWanted: (migration: string) => boolean): Promise<Map<string, Set<string>>> {
  const url = await emptyDatabase();
  await deployMigrations(url, process.cwd(), isWanted);
  const columns = new Map<string, Set<string>>();
  const sql =
    "select table_name as table, column_name as name from information_schema.columns where table_schema = 'public'";
  for (const { table, name } of await ask(url, sql))
    columns.set(String(table), (columns.get(String(table)) ?? new Set()).add(String(name)));
  return columns;
}

/** A backup with the tables and columns that there are in `kept`. */
function withColumns(text: string, kept: ReadonlyMap<string, ReadonlySet<string>>): string {
  const unquoted = (name: string) => name.replaceAll('"', "");
  const script = text
    .replaceAll(
      /^COPY (\S+) \(([^)]*)\)([^;]*;)\n([^]*?)^\\\.\n/gm,
      (_copy, table: string, columns: string, rest: string, lines: string) => {
        const names = columns.split(", ");
        const columnsKept = kept.get(unquoted(table));
        if (columnsKept === undefined) return "";
        const isKept = (_: string, place: number) => columnsKept.has(unquoted(names[place] ?? ""));
        const rows = lines.replaceAll(/^.*$/gm, (line) => line.split("\t").filter(isKept).join("\t"));
        return `COPY ${table} (${names.filter(isKept).join(", ")})${rest}\n${rows}\\.\n`;
      },
    )
    .replaceAll(/^DELETE FROM (\S+);\n/gm, (line, table: string) => (kept.has(unquoted(table)) ? line : ""));
  const [, end = "{}"] = /^-- quartermaster end (.*)$/m.exec(script) ?? [];
  const { rows } = JSON.parse(end) as { rows: Record<string, number> };
  return script.replace(
    end,
    JSON.stringify({ rows: Object.fromEntries(Object.entries(rows).filter(([table]) => kept.has(table))) }),
  );
}

describe("a restore is refused, and leaves no row behind, when", () => {
  // One for all: were a row left behind, the next would be refused as one in use.
  let url: string;
  beforeAll(async () => {
    url = await emptyDatabase();
  });

  it.each([
    [
      "the file was cut short between tables",
      (text: string) => text.slice(0, text.indexOf("COPY policy ")),
      "cut short",
    ],
    [
      "the file was cut short within a table",
      (text: string) => text.slice(0, text.indexOf("\n\\.\n", text.indexOf("COPY tool "))),
      "cut short",
    ],
    [
      "a row is missing",
      (text: string) => text.replace(/^COPY persona [^\n]*\n[^\n]*\n/m, (copy) => `${copy.split("\n")[0]}\n`),
      "persona has",
    ],
    [
      "it is of another master key",
      (text: string) => text.replace(/"key":"[^"]*"/, '"key":"v1.00000000."'),
      "another MASTER_KEY",
    ],
    [
      "it is of a newer version",
      (text: string) => text.replace('"]', '","29990101000000_later"]'),
      "Update this version first",
    ],
    [
      "it is of a version long before the baseline",
      (text: string) => text.replace(/"migrations":\[[^\]]*\]/, '"migrations":["20260101000000_init"]'),
      "too old. Its last migration is 20260101000000_init",
    ],
    ["it is something else", () => "hello\n", "is not a backup"],
  ])("%s", async (_when, change, says) => {
    await expect(restoreFile(altered(change), url)).rejects.toThrow(says);
  });

  it("the database is in use", async () => {
    await expect(restoreFile(file, database.url)).rejects.toThrow("The database is in use");
  });

  it("the database is in use by an older version, whose schema stays", async () => {
    const old = await emptyDatabase();
    await ask(old, "create table agent (name text); insert into agent values ('bot')");
    await expect(restoreFile(file, old)).rejects.toThrow("The database is in use: agent has rows");
    expect(await ask(old, "select to_regclass('_prisma_migrations') as migrations")).toEqual([{ migrations: null }]);
  });

  it("the database is ahead of the backup", async () => {
    await deployMigrations(url);
    const older = altered((text) => text.replace(/,?"[^"]*"\]/, "]"));
    await expect(restoreFile(older, url)).rejects.toThrow("newer schema than the backup");
  });
});
