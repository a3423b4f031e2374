import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { productionPackages } from "./licences.mjs";

// npm run sbom: what production installs on this machine, as CycloneDX. `npm sbom --omit dev` would leave out whatever a package
// of development needs as well (npm 11: zod, the SDK of MCP), so everything is asked for, and what docs/licences.md does not
// list is left out here.

/** @typedef {{ "bom-ref": string, name: string, version: string }} Component */
/** @typedef {{ components: Component[], dependencies: { ref: string, dependsOn: string[] }[] }} Bill */

const root = fileURLToPath(new URL("..", import.meta.url));
const text = execFileSync("npm", ["sbom", "--sbom-format", "cyclonedx"], {
  cwd: root,
  encoding: "utf8",
  maxBuffer: 64 * 1024 * 1024,
  shell: process.platform === "win32",
});
const bill = /** @type {Bill} */ (JSON.parse(text));

const wanted = new Set(productionPackages(root).map(({ name, version }) => `${name}@${version}`));
const components = bill.components.filter(({ name, version }) => wanted.has(`${name}@${version}`));
const dropped = new Set(bill.components.filter((one) => !components.includes(one)).map((one) => one["bom-ref"]));
const dependencies = bill.dependencies
  .filter(({ ref }) => !dropped.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => !dropped.has(other)) }));

process.stdout.write(`${JSON.stringify({ ...bill, components, dependencies }, null, 2)}\n`);
