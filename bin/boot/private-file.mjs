import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * The JSON in a file that only its owner may read; `null` when there is none.
 *
 * @param {string} file
 * @returns {unknown}
 */
export function readPrivate(file) {
  if (!existsSync(file)) return null;
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    throw new Error(
      `${file} is not JSON. Restore it from a backup, or move it away, and the next start creates a new file.`,
      {
        cause,
      },
    );
  }
}

/**
 * Writes JSON with mode 600. The file is renamed into place, so that a crash leaves the old or the new content.
 *
 * @param {string} file
 * @param {unknown} value
 */
export function writePrivate(file, value) {
  renameSync(writePartial(file, value), file);
}

/**
 * Writes JSON with mode 600 unless the file exists. When several processes try, one of them creates it.
 *
 * @param {string} file
 * @param {unknown} value
 * @returns {boolean} whether this call created it
 */
export function createPrivate(file, value) {
  const partial = writePartial(file, value);
  try {
    // A link, unlike a rename, replaces nothing.
    linkSync(partial, file);
    return true;
  } catch {
    if (existsSync(file)) return false;
    // This file system has no links.
    renameSync(partial, file);
    return true;
  } finally {
    rmSync(partial, { force: true });
  }
}

/** @param {string} file @param {unknown} value @returns {string} the temporary file in the same folder */
function writePartial(file, value) {
  mkdirSync(dirname(file), { recursive: true });
  const partial = `${file}.${process.pid}`;
  writeFileSync(partial, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  chmodSync(partial, 0o600);
  return partial;
}
