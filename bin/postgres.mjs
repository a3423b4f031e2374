import { spawn, execFileSync } from "node:child_process";
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
 * @property {string} url postgres:// URL of the database `quartermaster`.
 * @property {number} pid
 * @property {Promise<void>} stopped Resolves when the server is gone, wanted or not.
 * @property {() => Promise<void>} stop Fast shutdown: open transactions are rolled back.
 */

const USER = "quartermaster";
const STARTED = "database system is ready to accept connections";

/** Nothing that a test writes has to survive a power cut. */
const THROWAWAY = [
  "fsync=off",
  "synchronous_commit=off",
  "full_page_writes=off",
  "wal_level=minimal",
  "max_wal_senders=0",
  "autovacuum=off",
];

/**
 * Starts PostgreSQL on loopback with its data below `dataDir`, making the cluster at first use and
 * ending a server that a killed process left behind. The password lies beside it, mode 600.
 *
 * @param {{ dataDir: string, throwaway?: boolean, maxConnections?: number }} options `throwaway` trades durability for speed
 * @returns {Promise<RunningPostgres>}
 */
export async function startPostgres({ dataDir, throwaway = false, maxConnections = 100 }) {
  const home = postgresHome(dataDir);
  const data = join(home.dir, "data");
  const secretFile = join(dataDir, "postgres.json");
  if (!existsSync(data)) {
    const password = randomBytes(24).toString("base64url");
    writePrivate(secretFile, { port: await freePort(0), password });
    initialise(home, data, password);
  } else if (readPrivate(secretFile) === null) {
    throw new Error(
      `${secretFile} is missing: it holds the password of the database in ${data}. Restore it, or move both away.`,
    );
  }
  await stopLeftOver(data);
  const secret = /** @type {{ port: number, password: string }} */ (readPrivate(secretFile));
  const port = await freePort(secret.port);
  if (port !== secret.port) writePrivate(secretFile, { ...secret, port });

  const settings = [
    `port=${port}`,
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    `max_connections=${maxConnections}`,
    "log_min_messages=warning",
    ...(throwaway ? THROWAWAY : []),
  ];
  // A process group of its own: Ctrl-C reaches the one who started it, who then stops it in order.
  const child = spawn(
    join(home.native, "bin/postgres"),
    ["-D", data, ...settings.flatMap((setting) => ["-c", setting])],
    { ...home.owner, cwd: home.dir, detached: true, env: postgresEnv(), stdio: ["ignore", "ignore", "pipe"] },
  );
  const stopped = /** @type {Promise<void>} */ (new Promise((done) => child.once("exit", () => done())));
  // A crash or process.exit() of ours; kill -9 is what stopLeftOver is for.
  const abandon = () => child.kill("SIGQUIT");
  process.once("exit", abandon);
  void stopped.then(() => process.off("exit", abandon));
  await started(child);
  child.stderr.resume();
  const url = `postgres://${USER}:${secret.password}@127.0.0.1:${port}/${USER}`;
  return {
    url,
    pid: child.pid ?? 0,
    stopped,
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGINT");
      await stopped;
    },
  };
}

/**
 * The database of a server that another process of this machine runs on `dataDir`, if it is up.
 *
 * @param {string} dataDir
 * @returns {string | null}
 */
export function runningPostgresUrl(dataDir) {
  const secret = /** @type {{ port: number, password: string } | null} */ (readPrivate(join(dataDir, "postgres.json")));
  if (secret === null || leftOver(join(postgresHome(dataDir).dir, "data")) === null) return null;
  return `postgres://${USER}:${secret.password}@127.0.0.1:${secret.port}/${USER}`;
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
 * Makes the cluster beside its final place and renames it, so that an interrupted one is never used.
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
    // Single-user mode, because nothing listens yet.
    runTool(home, "postgres", ["--single", "-D", partial, "postgres"], `CREATE DATABASE ${USER};\n`);
    renameSync(partial, data);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/** @param {import("./postgres-home.mjs").PostgresHome} home @param {string} tool @param {string[]} args @param {string} input */
function runTool(home, tool, args, input = "") {
  execFileSync(join(home.native, "bin", tool), args, {
    ...home.owner,
    cwd: home.dir,
    env: postgresEnv(),
    input,
    stdio: ["pipe", "ignore", "pipe"],
  });
}

/** PostgreSQL's own words decide when it is up; what it says instead is the error. @param {import("node:child_process").ChildProcess} child */
function started(child) {
  return /** @type {Promise<void>} */ (
    new Promise((done, fail) => {
      let said = "";
      child.stderr?.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
        said = (said + text).slice(-4000);
        if (said.includes(STARTED)) done();
      });
      child.once("error", fail);
      child.once("exit", () => fail(new Error(`Postgres did not start:\n${said.trim() || "(it said nothing)"}`)));
    })
  );
}

/** After kill -9 of its parent a server lives on and holds the data: ask it to stop first. @param {string} data */
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
  throw new Error(`A PostgreSQL server (pid ${pid}) still uses ${data} and does not stop: end it, then start again.`);
}

/** The pid in postmaster.pid, when it is alive and really a postgres. @param {string} data */
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

/** `wanted` when it is free on loopback, else one that is. @param {number} wanted @returns {Promise<number>} */
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

/** Only what the server needs: PG* variables of the caller would change its behaviour. */
function postgresEnv() {
  // NODE_ENV is required by the type only.
  return { PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC", NODE_ENV: process.env.NODE_ENV };
}
