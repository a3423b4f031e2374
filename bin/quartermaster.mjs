#!/usr/bin/env node
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { buildPrograms, generate } from "./build.mjs";
import { install, needsInstall } from "./install.mjs";
import { CommandError } from "./run.mjs";
import { loadSecrets } from "./secrets.mjs";

// npx quartermaster …: the command line. Builds what it needs at first use, then hands over to
// bin/quartermaster.ts; commands that need the database get this machine's.

const root = fileURLToPath(new URL("..", import.meta.url));

/** Makes dist/quartermaster.mjs when it is missing or old. Says so, because it takes a while. */
async function prepare() {
  if (needsInstall(root)) {
    process.stderr.write("Installing packages…\n");
    await install(root);
  }
  await generate(root);
  await buildPrograms(root);
}

/**
 * Sets what lib/env.ts reads: the environment as given, else what `npm start` keeps in its data folder.
 *
 * @param {boolean} make whether a database is made where there is none
 * @returns {Promise<() => Promise<void>>} stops a database that was started for this command only
 */
async function openDatabase(make) {
  const dataDir = resolve(root, process.env.DATA_DIR || ".data");
  const { runningPostgresUrl, startPostgres } = await import("./postgres.mjs");
  const nothing = async () => {};
  let close = nothing;
  if (process.env.DATABASE_URL === undefined) {
    const { existsSync } = await import("node:fs");
    if (!make && !existsSync(join(dataDir, "postgres.json")))
      throw new Error(`There is no database in ${dataDir}: run \`npm start\` once, or set DATABASE_URL or DATA_DIR.`);
    const running = runningPostgresUrl(dataDir);
    const own = running === null ? await startPostgres({ dataDir }) : null;
    process.env.DATABASE_URL = running ?? own?.url;
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
