import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./run.mjs";

/** @typedef {Record<string, { version?: string, optional?: boolean, link?: boolean }>} Packages */

/**
 * Whether node_modules lacks what package-lock.json wants. npm records what it installed in
 * node_modules/.package-lock.json; packages for other platforms are optional and may be absent.
 *
 * @param {string} root
 */
export function needsInstall(root) {
  const record = join(root, "node_modules/.package-lock.json");
  if (!existsSync(record)) return true;
  const wanted = packagesOf(join(root, "package-lock.json"));
  const installed = packagesOf(record);
  return Object.entries(wanted).some(
    ([path, { version, optional }]) => path !== "" && optional !== true && installed[path]?.version !== version,
  );
}

/** Installs exactly what package-lock.json says. @param {string} root @param {string[]} flags */
export async function install(root, ...flags) {
  await run("npm", ["ci", "--no-audit", "--no-fund", ...flags], { cwd: root, env: { NODE_ENV: "development" } });
}

/** @param {string} file @returns {Packages} */
function packagesOf(file) {
  return JSON.parse(readFileSync(file, "utf8")).packages;
}
