import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import * as engineGlue from "@prisma/schema-engine-wasm/schema_engine_bg";
import type { MigrationList, SchemaEngine, SchemasContainer } from "@prisma/schema-engine-wasm";
import { Client, Pool } from "pg";
import { adoptBaseline, readHistory } from "@/bin/baseline";
import { noAnswer } from "@/bin/commands/no-answer";
import { migrationNames } from "@/lib/server/migration-names";

/**
 * Runs migrations through Prisma's WebAssembly engine, which needs no download. The history stays
 * compatible with `prisma migrate deploy`.
 */

const FILTERS = { externalTables: [], externalEnums: [] };
const LOCKFILE = 'provider = "postgresql"\n';
/** Advisory lock that lets one instance deploy at a time; no other program uses this number. */
const DEPLOY_LOCK = 7_203_411;

/** @throws a sentence for the operator; the driver opens the files that a URL names before it connects, and accepts every URL */
async function openGuard(databaseUrl: string): Promise<Client> {
  try {
    if (!databaseUrl.startsWith("postgres")) throw new Error("its URL must begin with postgres://");
    const client = new Client({ connectionString: databaseUrl });
    // A broken connection fails its next statement. Without a listener, its error event would end the process first.
    client.on("error", () => {});
    await client.connect();
    return client;
  } catch (error) {
    throw new Error(noAnswer(error), { cause: error });
  }
}

/**
 * Applies the migrations below `root` that `databaseUrl` lacks, or only the given ones. Safe to run twice and
 * concurrently. Returns the names of the applied migrations.
 */
export async function deployMigrations(
  databaseUrl: string,
  root = process.cwd(),
  isWanted: (name: string) => boolean = () => true,
): Promise<readonly string[]> {
  const guard = await openGuard(databaseUrl);
  try {
    await guard.query("select pg_advisory_lock($1)", [DEPLOY_LOCK]);
    const names = migrationNames(root);
    const [baseline] = names;
    if (baseline !== undefined) await adoptBaseline(guard, { name: baseline, script: readScript(root, baseline) });
    if (await isUpToDate(guard, names.filter(isWanted))) return [];
    return await withEngine(databaseUrl, async (engine, failure) => {
      const migrationsList = readMigrations(root, isWanted);
      try {
        return (await engine.applyMigrations({ migrationsList, filters: FILTERS })).appliedMigrationNames;
      } catch (error) {
        const sqlError = failure();
        if (sqlError === null) throw error;
        throw await undoFailed(guard, sqlError);
      }
    });
  } finally {
    await guard.end();
  }
}

/** Whether every migration of a database is finished, and all of these are among them: then the engine need not be loaded. */
async function isUpToDate(guard: Client, names: readonly string[]): Promise<boolean> {
  const history = await readHistory(guard);
  const finished = new Set(history.flatMap((applied) => (applied.finished ? [applied.name] : [])));
  return finished.size === history.length && names.every((name) => finished.has(name));
}

/**
 * Removes the mark of a failed migration, so that the next deploy tries it again without a manual repair. The script
 * ran as one implicit transaction, so nothing of it remains in the database.
 */
async function undoFailed(guard: Client, cause: Error): Promise<Error> {
  const { rows } = await guard.query<{ migration_name: string }>(
    "update _prisma_migrations set rolled_back_at = now() where finished_at is null and rolled_back_at is null returning migration_name",
  );
  const name = rows[0]?.migration_name ?? "?";
  return new Error(`Migration ${name} failed and was undone: ${cause.message}`, { cause });
}

/**
 * Writes the next migration; returns `null` when the schema has not changed since the last one.
 * `databaseUrl` is any Postgres: the engine reads only its version.
 */
export async function writeMigration(
  databaseUrl: string,
  name: string,
  root = process.cwd(),
  now = new Date(),
): Promise<string | null> {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new Error(`Migration name "${name}": use lower case, digits and _.`);
  const previous = previousSchema(root);
  const current = currentSchema(root);
  const { stdout } = await withEngine(databaseUrl, (engine) =>
    engine.diff({
      from: previous === null ? { tag: "empty" } : { tag: "schemaDatamodel", ...schemaFile(previous) },
      to: { tag: "schemaDatamodel", ...schemaFile(current) },
      script: true,
      exitCode: null,
      filters: FILTERS,
    }),
  );
  if (stdout === null || stdout.trim() === "" || stdout.includes("-- This is an empty migration.")) return null;
  const stamp = now.toISOString().replace(/\D/g, "").slice(0, 14);
  const dir = join(root, "prisma/migrations", `${stamp}_${name}`);
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, "migration.sql"), stdout);
  writeFileSync(snapshotFile(root), current);
  writeFileSync(join(root, "prisma/migrations/migration_lock.toml"), LOCKFILE);
  return dir;
}

/** The models of prisma/schema as one text, in file order, without comments and blank lines. */
export function currentSchema(root = process.cwd()): string {
  const dir = join(root, "prisma/schema");
  return readdirSync(dir)
    .filter((file) => file.endsWith(".prisma"))
    .toSorted()
    .flatMap((file) => readFileSync(join(dir, file), "utf8").split("\n"))
    .filter((line) => !/^\s*(?:\/\/|$)/.test(line))
    .map((line) => line.replace(/\s+\/\/[^"]*$/, ""))
    .join("\n")
    .concat("\n");
}

/** The schema text after the newest migration; `null` when there is no migration. */
export function previousSchema(root = process.cwd()): string | null {
  return existsSync(snapshotFile(root)) ? readFileSync(snapshotFile(root), "utf8") : null;
}

function snapshotFile(root: string): string {
  return join(root, "prisma/migrations/schema.prisma");
}

function schemaFile(content: string): SchemasContainer {
  return { files: [{ path: "schema.prisma", content }] };
}

function readScript(root: string, name: string): string {
  return readFileSync(join(root, "prisma/migrations", name, "migration.sql"), "utf8");
}

function readMigrations(root: string, isWanted: (name: string) => boolean): MigrationList {
  return {
    baseDir: join(root, "prisma/migrations"),
    lockfile: { path: "migration_lock.toml", content: LOCKFILE },
    shadowDbInitScript: "",
    migrationDirectories: migrationNames(root)
      .filter(isWanted)
      .map((path) => ({
        path,
        migrationFile: { path: "migration.sql", content: { tag: "ok", value: readScript(root, path) } },
      })),
  };
}

/**
 * Runs the engine on an adapter that sends a script whole (adapter-pg splits at `;`, which breaks
 * functions). `run` closes the adapter's connections at its end: one of them holds the engine's advisory lock.
 */
async function withEngine<T>(
  databaseUrl: string,
  run: (engine: SchemaEngine, failure: () => Error | null) => Promise<T>,
): Promise<T> {
  const Engine = await loadEngine();
  const pool = new Pool({ connectionString: databaseUrl, max: 2 });
  let failure: Error | null = null;
  const factory = new PrismaPg(pool);
  const connect = factory.connect.bind(factory);
  factory.connect = async () => {
    const adapter = await connect();
    adapter.executeScript = async (script) => {
      await pool.query(script).catch((error: Error) => {
        failure = error;
        throw error;
      });
    };
    return adapter;
  };
  const datamodels: [string, string][] = [["schema.prisma", 'datasource db {\n  provider = "postgresql"\n}\n']];
  try {
    const engine = await Engine.new({ datamodels }, () => {}, bindMigrationAwareSqlAdapterFactory(factory));
    return await run(engine, () => failure);
  } finally {
    await pool.end();
  }
}

let engineClass: Promise<typeof SchemaEngine> | undefined;

/** Instantiates the engine by hand: the package imports its .wasm as a module, which Node supports only behind a flag. */
function loadEngine(): Promise<typeof SchemaEngine> {
  engineClass ??= (async () => {
    const glue = createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm/schema_engine_bg");
    const bytes = readFileSync(glue.replace(/\.js$/, ".wasm"));
    const imports: Record<string, unknown> = { ...engineGlue };
    // The engine's ten-second lock timer would keep the process alive after its work.
    for (const name of Object.keys(imports).filter((key) => key.startsWith("__wbg_setTimeout_")))
      imports[name] = (run: () => void, milliseconds: number) => setTimeout(run, milliseconds >>> 0).unref();
    const { instance } = await WebAssembly.instantiate(bytes, {
      "./schema_engine_bg.js": imports as WebAssembly.ModuleImports,
    });
    const { __wbg_set_wasm: setWasm } = engineGlue as unknown as { __wbg_set_wasm(exports: WebAssembly.Exports): void };
    setWasm(instance.exports);
    (instance.exports["__wbindgen_start"] as () => void)();
    return engineGlue.SchemaEngine;
  })();
  return engineClass;
}
