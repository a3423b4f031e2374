import { createWriteStream, openSync, statSync, unlinkSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { CommandProblem, type Output } from "@/bin/commands/output";
import { readOptions } from "@/bin/commands/read-options";
import { env } from "@/lib/env";
import { writeBackup } from "@/lib/store/backup/backup";

/**
 * `backup FILE [--json]`: all rows of the installation as one state of it, while it goes on. The file is made, never
 * replaced, and only its owner may read it.
 */
export async function backupCommand(args: readonly string[], output: Output): Promise<number> {
  const { values, positionals } = readOptions(args, { json: { type: "boolean", default: false } });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new CommandProblem("Write `npx quartermaster backup FILE`.");
  const started = performance.now();
  let tables: Readonly<Record<string, number>> = {};
  const written = createWriteStream(file, { fd: make(file) });
  try {
    await pipeline(
      Readable.from(writeBackup(env.DATABASE_URL, (rows) => (tables = rows))),
      createGzip({ level: 4 }),
      written,
    );
  } catch (error) {
    // Half a backup is none.
    unlinkSync(file);
    throw error;
  }
  const bytes = statSync(file).size;
  const seconds = (performance.now() - started) / 1000;
  const rows = Object.values(tables).reduce((sum, count) => sum + count, 0);
  if (values.json) output.out(JSON.stringify({ file, bytes, seconds, tables }));
  else {
    output.out(
      `${file}: ${rows} rows, ${(bytes / 1e6).toFixed(1)} MB, in ${seconds.toFixed(1)} s. Its values are sealed: keep MASTER_KEY elsewhere.`,
    );
  }
  return 0;
}

/** Before anything is read: the file of a backup that failed at once would be made after it was cleared away. */
function make(file: string): number {
  try {
    return openSync(file, "wx", 0o600);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EEXIST")
      throw new CommandProblem(`${file} is there already, and is not replaced: name another file.`);
    throw new CommandProblem(
      `${file} cannot be made (${code}): name a file in a folder that is there and may be written to.`,
    );
  }
}
