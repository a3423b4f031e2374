import { createWriteStream, openSync, statSync, unlinkSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { CommandProblem, type Output } from "@/bin/commands/output";
import { readOptions } from "@/bin/commands/read-options";
import { env } from "@/lib/env";
import { writeBackup } from "@/lib/store/backup/backup";

/**
 * `backup FILE [--json]`: writes all rows of one database snapshot to a file, while the installation runs on. Never
 * replaces a file; only the owner may read the new one.
 */
export async function backupCommand(args: readonly string[], output: Output): Promise<number> {
  const { values, positionals } = readOptions(args, { json: { type: "boolean", default: false } });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new CommandProblem("Usage: npx quartermaster backup FILE");
  const started = performance.now();
  let tables: Readonly<Record<string, number>> = {};
  const written = createWriteStream(file, { fd: createFile(file) });
  try {
    await pipeline(
      Readable.from(writeBackup(env.DATABASE_URL, (rows) => (tables = rows))),
      createGzip({ level: 4 }),
      written,
    );
  } catch (error) {
    // An incomplete backup must not remain.
    unlinkSync(file);
    throw error;
  }
  const bytes = statSync(file).size;
  const seconds = (performance.now() - started) / 1000;
  const rows = Object.values(tables).reduce((sum, count) => sum + count, 0);
  if (values.json) output.out(JSON.stringify({ file, bytes, seconds, tables }));
  else {
    output.out(
      `${file}: ${rows} rows, ${(bytes / 1e6).toFixed(1)} MB, in ${seconds.toFixed(1)} s. Secrets in it are encrypted. Keep MASTER_KEY in another place.`,
    );
  }
  return 0;
}

/** Creates the file before the backup reads anything. Created later, it could appear after a failed backup removed it. */
function createFile(file: string): number {
  try {
    return openSync(file, "wx", 0o600);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EEXIST") throw new CommandProblem(`${file} already exists and is not replaced. Name another file.`);
    throw new CommandProblem(
      `${file} cannot be created (${code}). Name a file in a folder that exists and is writable.`,
    );
  }
}
