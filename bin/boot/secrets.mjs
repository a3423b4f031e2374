import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { createPrivate, readPrivate, writePrivate } from "./private-file.mjs";

const PREVIOUS = /** @type {const} */ (["NEXTAUTH_SECRET_PREVIOUS", "MASTER_KEY_PREVIOUS"]);

/**
 * The secrets that lib/env.ts needs, in its format. Each comes from the environment when
 * set there, else from `dataDir`/secrets.json (mode 600), where a missing one is generated. The previous
 * secrets are passed on unchanged.
 *
 * @param {string} dataDir
 * @returns {Record<"NEXTAUTH_SECRET" | "MASTER_KEY", string> & { [name in typeof PREVIOUS[number]]?: string }}
 */
export function loadSecrets(dataDir) {
  const file = join(dataDir, "secrets.json");
  const found = /** @type {Record<string, string> | null} */ (readPrivate(file));
  const kept = found ?? {};
  const made = {
    NEXTAUTH_SECRET: kept.NEXTAUTH_SECRET ?? randomBytes(32).toString("base64url"),
    MASTER_KEY: kept.MASTER_KEY ?? randomBytes(32).toString("base64"),
  };
  // Two processes that start together must use the same secrets, or one could not decrypt the other's data.
  if (found === null && !createPrivate(file, made)) return loadSecrets(dataDir);
  if (found !== null && (kept.NEXTAUTH_SECRET === undefined || kept.MASTER_KEY === undefined))
    writePrivate(file, { ...kept, ...made });
  const previous = PREVIOUS.flatMap((name) => {
    const value = process.env[name] ?? kept[name];
    return value === undefined ? [] : [[name, value]];
  });
  return {
    NEXTAUTH_SECRET: process.env.NEXTAUTH_SECRET ?? made.NEXTAUTH_SECRET,
    MASTER_KEY: process.env.MASTER_KEY ?? made.MASTER_KEY,
    ...Object.fromEntries(previous),
  };
}
