import { existsSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { buildPrograms, buildServer, generate } from "./build.mjs";
import { install, needsInstall } from "./install.mjs";
import { claimDataDir, readAddress, requireFreePort, requireNode, watchNpm } from "./instance.mjs";
import { startPostgres } from "./postgres.mjs";
import { progress } from "./progress.mjs";
import { CommandError, endRunning, run } from "./run.mjs";
import { loadSecrets } from "./secrets.mjs";
import { serve } from "./serve.mjs";

// npm start: from a clone to a served page, with only Node installed. `-- --empty` loads no demo.

const root = fileURLToPath(new URL("..", import.meta.url));
/** What runs, newest last; stopped in the opposite order. @type {(() => unknown)[]} */
const started = [];
let stopping = false;

async function main() {
  requireNode();
  const options = readOptions(process.argv.slice(2));
  mkdirSync(options.dataDir, { recursive: true });
  started.push(claimDataDir(options.dataDir));
  await requireFreePort(options.host, options.port);

  const step = progress(7);
  await step(needsInstall(root) ? "installing packages" : "packages are installed", () =>
    needsInstall(root) ? install(root) : undefined,
  );
  await step("database client", () => generate(root));
  await step(
    firstBuild() && !options.dev ? "building (about a minute, only now)" : "building what changed",
    async () => {
      await buildPrograms(root);
      if (!options.dev) await buildServer(root);
    },
  );
  const databaseUrl = await step(options.databaseUrl === undefined ? "starting PostgreSQL" : "using DATABASE_URL", () =>
    openDatabase(options),
  );
  const env = environment(options, databaseUrl);
  await step("database migrations", () =>
    run(process.execPath, [join(root, "dist/migrate.mjs"), "deploy"], { cwd: root, env }),
  );
  const made = await step(options.empty ? "first administrator" : "demo and first administrator", () =>
    setUp(options, env),
  );
  await step(`serving on ${options.host}:${options.port}`, async () => {
    const door = options.dev ? "dev" : "server";
    const server = await serve({ root, door, host: options.host, port: options.port, env });
    started.push(server.stop);
    void server.stopped.then((how) => stop(1, `The server ended (${how}).`));
  });
  welcome(env.NEXTAUTH_URL, made);
}

/**
 * @typedef {object} Options
 * @property {boolean} empty
 * @property {boolean} dev
 * @property {string} host
 * @property {number} port
 * @property {string} dataDir
 * @property {string | undefined} databaseUrl
 */

/** @param {readonly string[]} args @returns {Options} */
function readOptions(args) {
  const unknown = args.find((arg) => arg !== "--empty" && arg !== "--dev");
  if (unknown !== undefined) throw new Error(`Unknown option ${unknown}. There is: npm start -- --empty`);
  return {
    empty: args.includes("--empty"),
    dev: args.includes("--dev"),
    ...readAddress(),
    dataDir: resolve(root, process.env.DATA_DIR || ".data"),
    databaseUrl: process.env.DATABASE_URL || undefined,
  };
}

function firstBuild() {
  return !existsSync(join(root, ".next/quartermaster-inputs"));
}

/** @param {Options} options */
async function openDatabase({ dataDir, databaseUrl }) {
  if (databaseUrl !== undefined) return databaseUrl;
  const postgres = await startPostgres({ dataDir });
  started.push(postgres.stop);
  void postgres.stopped.then(() => stop(1, "PostgreSQL ended."));
  return postgres.url;
}

/** @param {Options} options @param {string} databaseUrl */
function environment({ host, port, dataDir }, databaseUrl) {
  const reachable = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return {
    ...loadSecrets(dataDir),
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    // Beside a database of somebody else's, only they know where a second place is.
    ...(process.env.DATABASE_URL
      ? {}
      : {
          CHECKPOINT_FILE: process.env.CHECKPOINT_FILE || join(dataDir, "checkpoints.jsonl"),
          ...(!process.env.ARCHIVE_URL && { ARCHIVE_DIR: process.env.ARCHIVE_DIR || join(dataDir, "archives") }),
        }),
    NEXTAUTH_URL:
      process.env.NEXTAUTH_URL || `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`,
    NEXT_TELEMETRY_DISABLED: "1",
  };
}

/** What setup made and nobody can read again. @typedef {{ adminEmail: string, adminPassword?: string, apiKey?: string }} Made */

/** @param {Options} options @param {Record<string, string>} env @returns {Promise<Made>} */
async function setUp({ empty }, env) {
  const output = await run(process.execPath, [join(root, "dist/setup.mjs"), "--json", ...(empty ? ["--empty"] : [])], {
    cwd: root,
    env,
  });
  return JSON.parse(output.trim().split("\n").at(-1) ?? "");
}

/** @param {string} url @param {Made} made */
function welcome(url, made) {
  const key = made.apiKey ?? "$QUARTERMASTER_KEY";
  // Without the demo there is no agent yet, so neither is there a key.
  const keyInstead =
    made.adminPassword === undefined
      ? "as printed at the first start; make one under Agents & keys"
      : "none yet: Getting started, in the app, leads to one";
  const lines = [
    "",
    `  Quartermaster  ${url}`,
    `  Sign in        ${made.adminEmail}`,
    `  Password       ${made.adminPassword ?? `as printed at the first start; a new one: npx quartermaster user password ${made.adminEmail}`}`,
    `  API key        ${made.apiKey ?? keyInstead}`,
    "",
    `  curl -H "authorization: Bearer ${key}" ${url}/api/agents/tools`,
    "",
    ...(made.adminPassword === undefined
      ? []
      : [
          `  ${made.apiKey ? "The password and the key are" : "The password is"} stored hashed and not shown again.`,
          "",
        ]),
    "  Ctrl-C stops everything.",
    "",
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
}

/** @param {number} status @param {string} [why] */
async function stop(status, why) {
  if (stopping) return;
  stopping = true;
  if (why !== undefined) process.stderr.write(`\n${why}\n`);
  endRunning();
  for (const end of started.toReversed()) await end();
  process.exit(status);
}

// Not SIGHUP: a handler would undo `nohup npm start`.
for (const signal of ["SIGINT", "SIGTERM"])
  process.on(signal, () => {
    process.stdout.write("\nStopping…\n");
    void stop(0);
  });
watchNpm(() => void stop(1));

main().catch((error) => {
  if (stopping) return;
  // A command's own words, or one sentence of ours; a stack only where we are at fault.
  const known = error instanceof CommandError || (error instanceof Error && error.constructor === Error);
  void stop(1, known ? error.message : String(error?.stack ?? error));
});
