import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { startPostgres } from "../bin/boot/postgres.mjs";
import { CommandError, endRunning, run } from "../bin/boot/run.mjs";
import { loadSecrets } from "../bin/boot/secrets.mjs";

// npm run drill: backs this installation up, restores it into a throwaway database, verifies the log there and answers an
// agent's list and call. npm run drill -- FILE: the same with an existing backup.

const root = fileURLToPath(new URL("..", import.meta.url));
const dataDir = resolve(root, process.env.DATA_DIR || ".data");

async function main() {
  const [given, ...more] = process.argv.slice(2);
  if (more.length > 0) throw new Error("Write `npm run drill`, or `npm run drill -- FILE`.");
  const folder = mkdtempSync(join(tmpdir(), "quartermaster-drill-"));
  chmodSync(folder, 0o711);
  try {
    const file = given === undefined ? join(folder, "backup.sql.gz") : resolve(given);
    const command = join(root, "bin/quartermaster.mjs");
    // Also builds the programs when their sources have changed.
    if (given !== undefined) await run(process.execPath, [command, "help"]);
    else await run(process.execPath, [command, "backup", file], { live: true });
    const postgres = await startPostgres({ dataDir: folder, throwaway: true });
    try {
      const env = {
        LOG_LEVEL: "error",
        ...loadSecrets(dataDir),
        ...(!process.env.DATABASE_URL &&
          !process.env.CHECKPOINT_FILE && { CHECKPOINT_FILE: join(dataDir, "checkpoints.jsonl") }),
        DATABASE_URL: postgres.url,
        // Replace the installation's own, which the drill must not write to.
        DATABASE_APP_URL: postgres.appUrl,
        REDIS_URL: "",
        DATA_DIR: folder,
      };
      await run(process.execPath, [join(root, "dist/drill.mjs"), file], { cwd: root, env, live: true });
    } finally {
      await postgres.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, endRunning);

await main().catch((error) => {
  process.exitCode = 1;
  // The command's output is on the terminal already.
  if (!(error instanceof CommandError)) process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
});
