import { existsSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { buildPrograms, buildApp, generate } from "./boot/build.mjs";
import { install, needsInstall } from "./boot/install.mjs";
import { claimDataDir, readAddress, requireFreePort, requireNode, watchNpm } from "./boot/instance.mjs";
import { startPostgres } from "./boot/postgres.mjs";
import { makeProgress } from "./boot/progress.mjs";
import { CommandError, endRunning, run } from "./boot/run.mjs";
import { loadSecrets } from "./boot/secrets.mjs";
import { serve } from "./boot/serve.mjs";

// npm start: leads from a clone to a served page; needs only Node. `-- --empty` loads no demo.

const root = fileURLToPath(new URL("..", import.meta.url));
/** The `stop` functions of what runs, newest last; called in reverse. @type {(() => unknown)[]} */
const started = [];
let stopping = false;

async function main() {
  requireNode();
  const options = readOptions(process.argv.slice(2));
  mkdirSync(options.dataDir, { recursive: true });
  started.push(claimDataDir(options.dataDir));
  await requireFreePort(options.host, options.port);

  const step = makeProgress(7);
  const packages = options.dev ? "all" : "serving";
  const isIncomplete = needsInstall(root, packages);
  await step(isIncomplete ? "installing packages" : "packages are installed", () =>
    isIncomplete ? install(root, packages) : undefined,
  );
  // PostgreSQL starts beside the build. Its own step reports a failure.
  const opened = openDatabase(options);
  opened.catch(() => {});
  await step("database client", () => generate(root));
  await step(
    firstBuild() && !options.dev ? "building (about one minute, only at the first start)" : "building what changed",
    async () => {
      await buildPrograms(root);
      if (!options.dev) await buildApp(root);
    },
  );
  const database = await step(
    options.databaseUrl === undefined ? "starting PostgreSQL" : "using DATABASE_URL",
    () => opened,
  );
  const env = environment(options, database.appUrl);
  await step("database migrations", () =>
    run(process.execPath, [join(root, "dist/migrate.mjs"), "deploy"], {
      cwd: root,
      env: { ...env, DATABASE_URL: database.url },
    }),
  );
  // The servers start beside the setup, as instances do that join a running installation. Their own step reports a failure.
  const serving = startServing(options, env);
  serving.catch(() => {});
  const made = await step(options.empty ? "first administrator" : "demo and first administrator", () =>
    setUp(options, env),
  );
  await step(`serving on ${options.host}:${options.port}`, () => serving);
  printWelcome(env.NEXTAUTH_URL, made);
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
  if (unknown !== undefined) throw new Error(`Unknown option ${unknown}. Use: npm start -- --empty`);
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

/**
 * The database as its owner, who migrates it, and as everything else connects. Gateway and app never get the password of
 * the embedded database's owner.
 *
 * @param {Options} options
 * @returns {Promise<{ url: string, appUrl: string }>}
 */
async function openDatabase({ dataDir, databaseUrl }) {
  if (databaseUrl !== undefined) return { url: databaseUrl, appUrl: databaseUrl };
  const postgres = await startPostgres({ dataDir });
  started.push(postgres.stop);
  void postgres.stopped.then(() => stop(1, "PostgreSQL ended."));
  return postgres;
}

/** @param {Options} options @param {string} databaseUrl */
function environment({ host, port, dataDir }, databaseUrl) {
  const reachable = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return {
    ...loadSecrets(dataDir),
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    // The operator of a DATABASE_URL chooses its checkpoint store.
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

/** @param {Options} options @param {Record<string, string>} env */
async function startServing({ dev, host, port }, env) {
  const server = await serve({ root, mode: dev ? "dev" : "server", host, port, env });
  started.push(server.stop);
  void server.stopped.then((how) => stop(1, `The server ended (${how}).`));
}

/** Secrets that setup created once. @typedef {{ adminEmail: string, usesOpenId?: boolean, adminPassword?: string, apiKey?: string }} Made */

/** @param {Options} options @param {Record<string, string>} env @returns {Promise<Made>} */
async function setUp({ empty }, env) {
  const output = await run(process.execPath, [join(root, "dist/setup.mjs"), "--json", ...(empty ? ["--empty"] : [])], {
    cwd: root,
    env,
  });
  return JSON.parse(output.trim().split("\n").at(-1) ?? "");
}

/** @param {Made} made */
function passwordOf({ adminEmail, adminPassword, usesOpenId }) {
  if (usesOpenId) return "none here: sign in with OpenID";
  return (
    adminPassword ?? `as printed at the first start; to set a new one: npx quartermaster user password ${adminEmail}`
  );
}

/** @param {string} url @param {Made} made */
function printWelcome(url, made) {
  const key = made.apiKey ?? "$QUARTERMASTER_KEY";
  // Without the demo there is no agent yet, so there is no key.
  const keyInstead =
    made.adminPassword === undefined
      ? "as printed at the first start; create another under Agents & keys"
      : "none yet; follow Getting started in the app";
  const lines = [
    "",
    `  Quartermaster  ${url}`,
    `  Sign in        ${made.adminEmail}`,
    `  Password       ${passwordOf(made)}`,
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
  // Shows a command's output or one of our sentences; a stack only for a defect of ours.
  const known = error instanceof CommandError || (error instanceof Error && error.constructor === Error);
  void stop(1, known ? error.message : String(error?.stack ?? error));
});
