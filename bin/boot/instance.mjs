import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { readPrivate, writePrivate } from "./private-file.mjs";

/** Fails with a sentence when Node is too old for what is installed. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new Error(`Quartermaster needs Node 20.19 or newer; this is ${process.versions.node}.`);
}

/** The address that HOST and PORT name. @returns {{ host: string, port: number }} */
export function readAddress() {
  const port = Number(process.env.PORT ?? 3000);
  if (!Number.isInteger(port) || port < 1 || port > 65535)
    throw new Error(`PORT is "${process.env.PORT}": it must be a whole number from 1 to 65535.`);
  return { host: process.env.HOST || "127.0.0.1", port };
}

/**
 * Claims `dataDir` for this process, which runs its database: a start, or a command without one. A claim whose process is
 * dead is replaced.
 *
 * @param {string} dataDir
 * @returns {() => void} releases the claim
 */
export function claimDataDir(dataDir) {
  requireNoCommand(dataDir);
  const { pid, program } = holderOf(dataDir);
  if (program.includes("start.mjs"))
    throw new Error(
      `Quartermaster is already running with ${dataDir} (pid ${pid}). Stop it, or set DATA_DIR to another folder.`,
    );
  writePrivate(claimOf(dataDir), { pid: process.pid });
  return () => rmSync(claimOf(dataDir), { force: true });
}

/**
 * Fails with a sentence when a command runs the database of `dataDir`: the database ends with that command.
 *
 * @param {string} dataDir
 */
export function requireNoCommand(dataDir) {
  const { pid, program } = holderOf(dataDir);
  if (program.includes("quartermaster.mjs"))
    throw new Error(`A command uses the database in ${dataDir} (pid ${pid}). Wait until it has ended.`);
}

/** The other process that holds the claim, and its command line; empty when it is dead. @param {string} dataDir */
function holderOf(dataDir) {
  const holder = /** @type {{ pid: number } | null} */ (readPrivate(claimOf(dataDir)));
  if (holder === null || holder.pid === process.pid) return { pid: process.pid, program: "" };
  return { pid: holder.pid, program: commandOf(holder.pid) };
}

/** @param {string} dataDir */
function claimOf(dataDir) {
  return join(dataDir, "start.json");
}

/**
 * Fails with a sentence when the port cannot be used, before a start spends minutes on a build.
 *
 * @param {string} host
 * @param {number} port
 */
export function requireFreePort(host, port) {
  return /** @type {Promise<void>} */ (
    new Promise((done, fail) => {
      const probe = createServer();
      probe.once("error", (/** @type {NodeJS.ErrnoException} */ error) =>
        fail(
          new Error(
            error.code === "EADDRINUSE"
              ? `Port ${port} on ${host} is in use. Stop the program that uses it, or choose another port: PORT=3001 npm start`
              : `Cannot listen on ${host}:${port} (${error.code}). Check HOST and PORT.`,
          ),
        ),
      );
      probe.listen(port, host, () => probe.close(() => done()));
    })
  );
}

/**
 * Calls `gone` when the npm that runs this script is killed: otherwise the script would live on and keep the
 * port. Does nothing when the script was started without npm.
 *
 * @param {() => void} gone
 */
export function watchNpm(gone) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const ancestors = () => [process.ppid, parentOf(process.ppid)].join();
  const born = ancestors();
  const timer = setInterval(() => {
    if (ancestors() === born) return;
    clearInterval(timer);
    gone();
  }, 2000);
  timer.unref();
}

/** @param {number} pid */
function commandOf(pid) {
  return ps("command=", pid);
}

/** @param {number} pid */
function parentOf(pid) {
  return ps("ppid=", pid);
}

/** @param {string} column @param {number} pid */
function ps(column, pid) {
  try {
    return execFileSync("ps", ["-o", column, "-p", String(pid)], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return "";
  }
}
