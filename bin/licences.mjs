import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

// npm run licences: writes docs/licences.md from package-lock.json: what is installed for production, on any platform.

/**
 * Licences that what we ship may have: they ask for a notice at most, or (MPL, EPL, LGPL) for changes to their own files,
 * of which we make none. None of them reaches our own code. A package under another licence fails
 * test/hardening/dependencies.test.ts.
 */
export const ALLOWED = [
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "CC-BY-4.0",
  "CC0-1.0",
  "EPL-2.0",
  "ISC",
  "LGPL-3.0-or-later",
  "MIT",
  "MPL-2.0",
  "OFL-1.1",
  "Unlicense",
];

/** What a package means whose own field is no SPDX expression (https://spdx.org/licenses), after a look at its licence file. */
const READ_BY_HAND = new Map([
  ["@visx/vendor", "MIT AND ISC"],
  ["geist", "OFL-1.1"],
  ["seq-queue", "MIT"],
]);

/** Packages that are not under a licence of notice alone, and where they are. */
const NOTES = `
- **LGPL-3.0-or-later**: \`@img/sharp-*\` are prebuilt shared libraries (libvips) of Next's image optimiser, optional and
  replaceable; no page of ours uses them.
- **MPL-2.0**: \`lightningcss\` compiles style sheets while the app is built.
- **EPL-2.0**: \`elkjs\` comes with Prisma's command line; it is not in the build.
- **CC-BY-4.0**: \`caniuse-lite\` is data, of caniuse.com.
`.trim();

/**
 * Every package that a production install holds on some platform.
 *
 * @param {string} root
 * @returns {{ name: string, version: string, licence: string }[]} by name, then version; each once
 */
export function productionPackages(root) {
  /** @type {{ packages: Record<string, { version?: string, license?: string, dev?: boolean, link?: boolean }> }} */
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const found = new Map();
  for (const [path, { version = "", license = "", dev = false }] of Object.entries(packages)) {
    if (path === "" || dev) continue;
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    found.set(`${name}@${version}`, { name, version, licence: READ_BY_HAND.get(name) ?? license });
  }
  return [...found.values()].toSorted((a, b) => compare(a.name, b.name) || compare(a.version, b.version));
}

/** The licences that an SPDX expression names. @param {string} expression @returns {string[]} */
export function licencesIn(expression) {
  return expression.split(/\s+(?:AND|OR)\s+|[()]/).filter((part) => part !== "");
}

/** docs/licences.md. @param {string} root @returns {string} */
export function licencesPage(root) {
  const packages = productionPackages(root);
  /** @type {Map<string, number>} */
  const counted = new Map();
  for (const { licence } of packages) counted.set(licence, (counted.get(licence) ?? 0) + 1);
  const counts = [...counted].toSorted(([a, x], [b, y]) => y - x || compare(a, b));
  return [
    "# Licences",
    "",
    "Quartermaster itself is [MIT](../LICENSE). A production install holds these packages, on one platform or another.",
    "Written by `npm run licences` from `package-lock.json`; `test/hardening/dependencies.test.ts` holds it to the lock",
    "file and to the list of licences that are allowed (`bin/licences.mjs`). `npm run sbom` lists what this machine has, as CycloneDX.",
    "",
    "| licence | packages |",
    "|---|---|",
    ...counts.map(([licence, of]) => `| ${licence} | ${of} |`),
    "",
    NOTES,
    "",
    "| package | version | licence |",
    "|---|---|---|",
    ...packages.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`),
    "",
  ].join("\n");
}

/** The same order on every machine, whatever its language. @param {string} a @param {string} b */
function compare(a, b) {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const root = fileURLToPath(new URL("..", import.meta.url));
  writeFileSync(join(root, "docs/licences.md"), licencesPage(root));
}
