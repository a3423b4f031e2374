import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** Generated folders below the sources; their content is no input. */
const GENERATED = new Set(["lib/store/generated"]);

/**
 * SHA-256 over names and contents of everything below `paths`; a missing path counts as empty.
 *
 * @param {string} root
 * @param {readonly string[]} paths
 * @returns {string}
 */
export function hashInputs(root, paths) {
  const hash = createHash("sha256");
  for (const file of paths.flatMap((path) => filesBelow(root, join(root, path))).toSorted())
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update("\0");
  return hash.digest("hex");
}

/** @param {string} root @param {string} path @returns {string[]} */
function filesBelow(root, path) {
  if (!existsSync(path) || GENERATED.has(relative(root, path))) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).flatMap((entry) => filesBelow(root, join(path, entry)));
}

/**
 * Does `work` unless `stamp` holds the same hash. The stamp is written last, so that interrupted work is
 * repeated.
 *
 * @param {string} stamp
 * @param {string} hash
 * @param {() => Promise<unknown>} work
 * @returns {Promise<boolean>} whether `work` ran
 */
export async function unlessUpToDate(stamp, hash, work) {
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === hash) return false;
  await work();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, hash);
  return true;
}
