import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { fromBaseline } from "@/bin/baseline";
import { CommandProblem, type Output } from "@/bin/commands/output";
import { ownRoot } from "@/bin/commands/own-root";
import { readOptions } from "@/bin/commands/read-options";
import { deployMigrations } from "@/bin/migrations";
import { messageOf } from "@/lib/errors";
import { migrationNames } from "@/lib/server/migration-names";
import { env } from "@/lib/env";
import { restoreBackup, RestoreProblem, type Restored } from "@/lib/store/backup/restore";

/** `restore FILE [--json]`: restores a backup into the empty database that the environment names, and migrates it. */
export async function restoreCommand(args: readonly string[], output: Output): Promise<number> {
  const { values, positionals } = readOptions(args, { json: { type: "boolean", default: false } });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new CommandProblem("Usage: npx quartermaster restore FILE");
  const started = performance.now();
  const { header, rows } = await restoreFile(file, env.DATABASE_URL);
  const seconds = (performance.now() - started) / 1000;
  if (values.json) output.out(JSON.stringify({ header, rows, seconds }));
  else {
    const all = Object.values(rows).reduce((sum, count) => sum + count, 0);
    output.out(`${all} rows of ${header.at} restored in ${seconds.toFixed(1)} s. Next, run: npx quartermaster verify`);
  }
  return 0;
}

/** Restores a backup file into an empty database and migrates it. @throws CommandProblem when it cannot be restored here */
export async function restoreFile(file: string, databaseUrl: string): Promise<Restored> {
  const root = ownRoot();
  const migrate = async (names: readonly string[]) => {
    const own = migrationNames(root);
    const wanted = historyOf(names, own[0] ?? "");
    const unknown = wanted.find((name) => !own.includes(name));
    if (unknown !== undefined)
      throw new RestoreProblem(
        `The backup is of a newer version, with the migration ${unknown}. Update this version first.`,
      );
    await deployMigrations(databaseUrl, root, (name) => wanted.includes(name));
    return wanted;
  };
  try {
    const restored = await pipeline(createReadStream(file), createGunzip(), (bytes) =>
      restoreBackup(databaseUrl, bytes, migrate),
    );
    await deployMigrations(databaseUrl, root);
    return restored;
  } catch (error) {
    if (error instanceof RestoreProblem) throw new CommandProblem(error.message);
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code.startsWith("Z_"))
      throw new CommandProblem(`${file} is not a backup, or it is incomplete. Use another file.`);
    if (code === "ENOENT") throw new CommandProblem(`There is no file ${file}.`);
    if (code === "EISDIR" || code === "EACCES") throw new CommandProblem(`${file} cannot be read (${code}).`);
    throw error;
  }
}

function historyOf(names: readonly string[], baseline: string): readonly string[] {
  try {
    return fromBaseline(names, baseline);
  } catch (error) {
    throw new RestoreProblem(`The backup is too old. ${messageOf(error)}`);
  }
}
