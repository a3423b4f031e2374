import { execFileSync, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chownSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { postgresHome } from "./postgres-home.mjs";
import { readPrivate, writePrivate } from "./private-file.mjs";

/**
 * A running embedded Postgres.
 *
 * @typedef {object} RunningPostgres
 * @property {string} url postgres:// URL of the database `quartermaster`, as its owner: for migrations and backups.
 * @property {string} appUrl The same database under the login of gateway and app, which owns nothing.
 * @property {number} pid
 * @property {Promise<void>} stopped Resolves when the server has ended, whether or not the stop was requested.
 * @property {() => Promise<void>} stop Fast shutdown: open transactions are rolled back.
 */

/** What postgres.json holds. @typedef {{ port: number, password: string, appPassword?: string }} Secret */

const USER = "quartermaster";
/** The role that may add to the log and not change it; the migrations grant it its rights. */
const APP_ROLE = "quartermaster_app";
const APP_LOGIN = "quartermaster_login";
const STARTED = "database system is ready to accept connections";

/** Settings of a throwaway database: its data need not survive a power cut. */
const THROWAWAY = [
  "fsync=off",
  "synchronous_commit=off",
  "full_page_writes=off",
  "wal_level=minimal",
  "max_wal_senders=0",
  "autovacuum=off",
];

/**
 * Starts PostgreSQL on loopback with its data below `dataDir`. Creates the cluster at first use and stops
 * a server that a killed process left behind. The passwords are in the same folder, mode 600.
 *
 * @param {{ dataDir: string, throwaway?: boolean, maxConnections?: number }} options `throwaway` trades durability for speed
 * @returns {Promise<RunningPostgres>}
 */
export async function startPostgres({ dataDir, throwaway = false, maxConnections = 100 }) {
  const home = postgresHome(dataDir);
  const data = join(home.dir, "data");
  const secretFile = join(dataDir, "postgres.json");
  if (!existsSync(data)) {
    requireNoFormer(secretFile, data);
    const password = newPassword();
    writePrivate(secretFile, { port: await freePort(0), password });
    initialise(home, data, password);
  } else if (readPrivate(secretFile) === null) {
    throw new Error(
      `${secretFile} is missing: it holds the password of the database in ${data}. Restore it, or move both away.`,
    );
  }
  await stopLeftOver(data);
  const known = /** @type {Secret} */ (readPrivate(secretFile));
  // A data folder of an older version has no login for the app.
  const appPassword = known.appPassword ?? makeAppLogin(home, data);
  const port = await freePort(known.port);
  const secret = { ...known, appPassword, port };
  if (port !== known.port || known.appPassword === undefined) writePrivate(secretFile, secret);

  const settings = [
    `port=${port}`,
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    `max_connections=${maxConnections}`,
    "log_min_messages=warning",
    ...(throwaway ? THROWAWAY : []),
  ];
  // In a separate process group, so that Ctrl-C reaches only the parent, which then stops its children in order.
  const child = spawn(
    join(home.native, "bin/postgres"),
    ["-D", data, ...settings.flatMap((setting) => ["-c", setting])],
    { ...home.owner, cwd: home.dir, detached: true, env: postgresEnv(), stdio: ["ignore", "ignore", "pipe"] },
  );
  const stopped = /** @type {Promise<void>} */ (new Promise((done) => child.once("exit", () => done())));
  // Runs at a crash or process.exit() of this process; after kill -9 the next start's stopLeftOver does it.
  const abandon = () => child.kill("SIGQUIT");
  process.once("exit", abandon);
  void stopped.then(() => process.off("exit", abandon));
  await started(child);
  child.stderr.resume();
  return {
    ...addresses(secret),
    pid: child.pid ?? 0,
    stopped,
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGINT");
      await stopped;
    },
  };
}

/**
 * The URL of the database server that another process of this machine runs on `dataDir`, `null` when none runs.
 *
 * @param {string} dataDir
 * @returns {{ url: string, appUrl: string } | null} both as the owner while a server of an older version runs
 */
export function runningPostgres(dataDir) {
  const secret = /** @type {Secret | null} */ (readPrivate(join(dataDir, "postgres.json")));
  if (secret === null || leftOver(join(postgresHome(dataDir).dir, "data")) === null) return null;
  return addresses(secret);
}

/** @param {Secret} secret */
function addresses({ port, password, appPassword }) {
  const at = `127.0.0.1:${port}/${USER}`;
  const url = `postgres://${USER}:${password}@${at}`;
  return { url, appUrl: appPassword === undefined ? url : `postgres://${APP_LOGIN}:${appPassword}@${at}` };
}

/**
 * Stops the server that a killed process left running on `dataDir`, if there is one.
 *
 * @param {string} dataDir
 */
export async function stopAbandonedPostgres(dataDir) {
  await stopLeftOver(join(postgresHome(dataDir).dir, "data"));
}

/**
 * Refuses to begin an empty cluster beside the login of another one. As root, the place of the cluster depends on the path
 * of the data folder and on who may enter it.
 *
 * @param {string} secretFile
 * @param {string} data
 */
function requireNoFormer(secretFile, data) {
  const former = /** @type {Secret | null} */ (readPrivate(secretFile));
  // The login is made after the cluster: without it, a first start was interrupted.
  if (former?.appPassword === undefined) return;
  throw new Error(
    `${secretFile} holds the login of a database whose files are not in ${data}. Was its folder moved, or opened or closed ` +
      "to other users? Undo that, or move the files there. To begin with an empty database, move " +
      `${secretFile} away.`,
  );
}

/**
 * Creates the cluster in a temporary folder and renames it, so that an interrupted one is never used.
 *
 * @param {import("./postgres-home.mjs").PostgresHome} home
 * @param {string} data
 * @param {string} password
 */
function initialise(home, data, password) {
  const partial = `${data}.partial`;
  rmSync(partial, { recursive: true, force: true });
  const passwordFile = join(home.dir, `initial-password-${process.pid}`);
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (home.owner.uid !== undefined && home.owner.gid !== undefined)
    chownSync(passwordFile, home.owner.uid, home.owner.gid);
  const flags = [`--pgdata=${partial}`, "--auth=scram-sha-256", `--username=${USER}`, `--pwfile=${passwordFile}`];
  try {
    runTool(home, "initdb", [...flags, "--encoding=UTF8", "--locale=C"]);
    // In single-user mode, because no server runs yet.
    runTool(home, "postgres", ["--single", "-D", partial, "postgres"], `CREATE DATABASE ${USER};\n`);
    renameSync(partial, data);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/**
 * Makes the login of gateway and app, in single-user mode because no server runs yet. May run again: a start that ended
 * before it kept the password makes another one.
 *
 * @param {import("./postgres-home.mjs").PostgresHome} home
 * @param {string} data
 * @returns {string} its password
 */
function makeAppLogin(home, data) {
  const password = newPassword();
  const made = [APP_ROLE, APP_LOGIN].map(
    (role) => `IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${role}') THEN CREATE ROLE ${role}; END IF;`,
  );
  runTool(
    home,
    "postgres",
    ["--single", "-D", data, USER],
    [
      `DO $$BEGIN ${made.join(" ")} END$$;`,
      `ALTER ROLE ${APP_LOGIN} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD '${password}';`,
      `GRANT ${APP_ROLE} TO ${APP_LOGIN};`,
      "",
    ].join("\n"),
  );
  return password;
}

function newPassword() {
  return randomBytes(24).toString("base64url");
}

/** @param {import("./postgres-home.mjs").PostgresHome} home @param {string} tool @param {string[]} args @param {string} input */
function runTool(home, tool, args, input = "") {
  const { error, status, stderr } = spawnSync(join(home.native, "bin", tool), args, {
    ...home.owner,
    cwd: home.dir,
    env: postgresEnv(),
    input,
    encoding: "utf8",
    stdio: ["pipe", "ignore", "pipe"],
  });
  if (error !== undefined) throw error;
  // In single-user mode a statement that fails does not end the program.
  if (status !== 0 || /\b(?:ERROR|FATAL|PANIC):/.test(stderr))
    throw new Error(`PostgreSQL could not be set up (${tool}):\n${stderr.trim()}`);
}

/** Waits for PostgreSQL's ready message; any other end rejects with its output. @param {import("node:child_process").ChildProcess} child */
function started(child) {
  return /** @type {Promise<void>} */ (
    new Promise((done, fail) => {
      let output = "";
      child.stderr?.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
        output = (output + text).slice(-4000);
        if (output.includes(STARTED)) done();
      });
      child.once("error", fail);
      child.once("exit", () => fail(new Error(`Postgres did not start:\n${output.trim() || "(no output)"}`)));
    })
  );
}

/** Stops a server that outlived its killed parent and holds the data: politely first. @param {string} data */
async function stopLeftOver(data) {
  const pid = leftOver(data);
  if (pid === null) return;
  for (const [signal, seconds] of /** @type {const} */ ([
    ["SIGINT", 15],
    ["SIGQUIT", 5],
  ])) {
    process.kill(pid, signal);
    for (let waited = 0; waited < seconds * 20; waited++) {
      if (leftOver(data) === null) return;
      await delay(50);
    }
  }
  throw new Error(`A PostgreSQL server (pid ${pid}) still uses ${data} and does not stop. Stop it, then start again.`);
}

/** The pid in postmaster.pid, when that process lives and is a postgres. @param {string} data */
function leftOver(data) {
  const file = join(data, "postmaster.pid");
  if (!existsSync(file)) return null;
  const pid = Number(readFileSync(file, "utf8").split("\n")[0]);
  if (!Number.isInteger(pid) || pid <= 1) return null;
  try {
    const command = execFileSync("ps", ["-o", "command=", "-p", String(pid)], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return command.includes("postgres") && command.includes(data) ? pid : null;
  } catch {
    return null;
  }
}

/** `wanted` when that port is free on loopback, else a free port. @param {number} wanted @returns {Promise<number>} */
function freePort(wanted) {
  return new Promise((done, fail) => {
    const probe = createServer();
    probe.once("error", () => (wanted === 0 ? fail(new Error("no free port on 127.0.0.1")) : done(freePort(0))));
    probe.listen(wanted, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() =>
        address !== null && typeof address === "object" ? done(address.port) : fail(new Error("no address")),
      );
    });
  });
}

/** The server's environment. PG* variables of the caller are left out, because they would change its behaviour. */
function postgresEnv() {
  // NODE_ENV is required by the type only.
  return { PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC", NODE_ENV: process.env.NODE_ENV };
}
