#!/usr/bin/env node
import { existsSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { buildPrograms, generate } from "./boot/build.mjs";
import { install, needsInstall } from "./boot/install.mjs";
import { claimDataDir, requireNoCommand } from "./boot/instance.mjs";
import { CommandError } from "./boot/run.mjs";
import { loadSecrets } from "./boot/secrets.mjs";

// npx quartermaster …: the command line. Builds the programs at first use, then runs bin/quartermaster.ts. A command
// that needs the database gets the one of DATABASE_URL, else the embedded one of `npm start`.

const root = fileURLToPath(new URL("..", import.meta.url));

/** Installs packages, generates the database client and builds the programs, each if it is outdated. */
async function prepare() {
  if (needsInstall(root, "serving")) {
    process.stderr.write("Installing packages…\n");
    await install(root, "serving");
  }
  await generate(root);
  await buildPrograms(root);
}

/** Closes a database that this command has not started: it stays. */
const leaveOpen = async () => {};

/**
 * Sets the variables that lib/env.ts reads and the environment does not set, from the data folder of `npm start`.
 *
 * @param {boolean} mayCreate whether to create a database when there is none
 * @returns {Promise<() => Promise<void>>} stops a database that was started for this command only
 */
async function openDatabase(mayCreate) {
  const dataDir = resolve(root, process.env.DATA_DIR || ".data");
  const isEmbedded = !process.env.DATABASE_URL;
  if (isEmbedded && !mayCreate && !existsSync(join(dataDir, "postgres.json")))
    throw new Error(`There is no database in ${dataDir}: run \`npm start\` once, or set DATABASE_URL or DATA_DIR.`);
  mkdirSync(dataDir, { recursive: true });
  Object.assign(process.env, loadSecrets(dataDir), { DATA_DIR: dataDir });
  process.env.LOG_LEVEL ??= "error";
  if (!isEmbedded) return leaveOpen;
  process.env.CHECKPOINT_FILE ||= join(dataDir, "checkpoints.jsonl");
  if (!process.env.ARCHIVE_URL) process.env.ARCHIVE_DIR ||= join(dataDir, "archives");
  const { url, appUrl, close } = await embeddedDatabase(dataDir);
  // Backups, restores and migrations need the owner.
  Object.assign(process.env, { DATABASE_URL: url, DATABASE_APP_URL: appUrl });
  return close;
}

/**
 * The embedded database that `npm start` runs, else one of this command's own: then the command claims the data folder,
 * and stops the database also when a signal ends it.
 *
 * @param {string} dataDir
 */
async function embeddedDatabase(dataDir) {
  const { runningPostgres, startPostgres } = await import("./boot/postgres.mjs");
  const running = runningPostgres(dataDir);
  if (running !== null) {
    requireNoCommand(dataDir);
    return { ...running, close: leaveOpen };
  }
  const release = claimDataDir(dataDir);
  try {
    const { url, appUrl, stop } = await startPostgres({ dataDir });
    const close = () => stop().finally(release);
    for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"]))
      process.once(signal, () => void close().finally(() => process.exit(1)));
    return { url, appUrl, close };
  } catch (error) {
    release();
    throw error;
  }
}

async function main() {
  const args = process.argv.slice(2);
  await prepare();
  /** @type {typeof import("./quartermaster.ts")} */
  const program = await import(pathToFileURL(join(root, "dist/quartermaster.mjs")).href);
  const close = program.needsDatabase(args) ? await openDatabase(program.makesDatabase(args)) : leaveOpen;
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
