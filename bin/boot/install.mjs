import { readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./run.mjs";

/** @typedef {Record<string, { version?: string, optional?: boolean, dev?: boolean }>} Packages */

/**
 * The packages that a command needs: `serving` is enough to build and serve, `all` adds the development packages, which are
 * half of them.
 *
 * @typedef {"serving" | "all"} Wanted
 */

/**
 * Whether node_modules lacks what package-lock.json wants. npm records what it installed in
 * node_modules/.package-lock.json; packages for other platforms are optional and may be absent.
 *
 * @param {string} root
 * @param {Wanted} [wanted]
 */
export function needsInstall(root, wanted = "all") {
  const installed = installedIn(root);
  if (installed === null) return true;
  return Object.entries(packagesOf(join(root, "package-lock.json"))).some(
    ([path, { version, optional, dev }]) =>
      path !== "" && optional !== true && (dev !== true || wanted === "all") && installed[path]?.version !== version,
  );
}

/**
 * Installs exactly what package-lock.json says. Keeps development packages up to date where they are installed, although
 * serving does not need them.
 *
 * @param {string} root
 * @param {Wanted} wanted
 * @param {string[]} flags
 */
export async function install(root, wanted, ...flags) {
  const isDeveloped = Object.values(installedIn(root) ?? {}).some(({ dev }) => dev === true);
  const omitted = wanted === "serving" && !isDeveloped ? ["--omit=dev"] : [];
  await run("npm", ["ci", "--no-audit", "--no-fund", ...omitted, ...flags], {
    cwd: root,
    env: { NODE_ENV: "development" },
  });
}

/** The packages in node_modules; `null` before the first install, and after one that was cut short. @param {string} root @returns {Packages | null} */
function installedIn(root) {
  try {
    return packagesOf(join(root, "node_modules/.package-lock.json")) ?? null;
  } catch {
    return null;
  }
}

/** @param {string} file @returns {Packages} */
function packagesOf(file) {
  return JSON.parse(readFileSync(file, "utf8")).packages;
}
