#!/usr/bin/env node
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { buildPrograms, generate } from "./boot/build.mjs";
import { install, needsInstall } from "./boot/install.mjs";
import { CommandError } from "./boot/run.mjs";
import { loadSecrets } from "./boot/secrets.mjs";

// npx quartermaster …: the command line. Builds the programs at first use, then runs bin/quartermaster.ts. A command
// that needs the database gets the one of DATABASE_URL, else the embedded one of `npm start`.

const root = fileURLToPath(new URL("..", import.meta.url));

/** Builds dist/quartermaster.mjs when it is missing or old. Says so, because the build takes seconds. */
async function prepare() {
  if (needsInstall(root, "serving")) {
    process.stderr.write("Installing packages…\n");
    await install(root, "serving");
  }
  await generate(root);
  await buildPrograms(root);
}

/**
 * Sets the variables that lib/env.ts reads and the environment does not set, from the data folder of `npm start`.
 *
 * @param {boolean} make whether to create a database when there is none
 * @returns {Promise<() => Promise<void>>} stops a database that was started for this command only
 */
async function openDatabase(make) {
  const dataDir = resolve(root, process.env.DATA_DIR || ".data");
  const { runningPostgres, startPostgres } = await import("./boot/postgres.mjs");
  const nothing = async () => {};
  let close = nothing;
  if (process.env.DATABASE_URL === undefined) {
    const { existsSync } = await import("node:fs");
    if (!make && !existsSync(join(dataDir, "postgres.json")))
      throw new Error(`There is no database in ${dataDir}: run \`npm start\` once, or set DATABASE_URL or DATA_DIR.`);
    const running = runningPostgres(dataDir);
    const own = running === null ? await startPostgres({ dataDir }) : null;
    const { url, appUrl } = running ?? /** @type {NonNullable<typeof own>} */ (own);
    // Backups, restores and migrations need the owner.
    Object.assign(process.env, { DATABASE_URL: url, DATABASE_APP_URL: appUrl });
    process.env.CHECKPOINT_FILE ||= join(dataDir, "checkpoints.jsonl");
    if (!process.env.ARCHIVE_URL) process.env.ARCHIVE_DIR ||= join(dataDir, "archives");
    if (own !== null) close = own.stop;
  }
  mkdirSync(dataDir, { recursive: true });
  Object.assign(process.env, loadSecrets(dataDir), { DATA_DIR: dataDir });
  process.env.LOG_LEVEL ??= "error";
  return close;
}

async function main() {
  const args = process.argv.slice(2);
  await prepare();
  /** @type {typeof import("./quartermaster.ts")} */
  const program = await import(pathToFileURL(join(root, "dist/quartermaster.mjs")).href);
  const close = program.needsDatabase(args) ? await openDatabase(program.makesDatabase(args)) : async () => {};
  try {
    const output = {
      out: (/** @type {string} */ text) => process.stdout.write(`${text}\n`),
      error: (/** @type {string} */ text) => process.stderr.write(`${text}\n`),
    };
    process.exitCode = await program.runCommand(args, output, process.env);
  } finally {
    await close();
  }
}

main().catch((error) => {
  const known = error instanceof CommandError || (error instanceof Error && error.constructor === Error);
  process.stderr.write(`${known ? error.message : String(error?.stack ?? error)}\n`);
  process.exitCode = 2;
});
