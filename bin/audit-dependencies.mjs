import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

// npm run audit:dependencies: fails on a high or critical advisory against what production installs, unless it was looked
// at and bin/audit-exceptions.json says why it does not matter and until when. Where the registry answers no questions about
// advisories (offline, a mirror of packages alone) it says so and passes: a build must not depend on another's uptime.

const root = fileURLToPath(new URL("..", import.meta.url));
const GRAVE = ["high", "critical"];

/** @typedef {{ id: string, reason: string, until: string }} Exception an advisory (GHSA-…), why it does not matter, the last day of that */
/** @typedef {{ url?: string, title?: string, severity?: string, name?: string, range?: string }} Advisory as npm tells it */

/** What npm says of the production tree; `null` with the reason when the registry does not answer. @returns {Promise<{ advisories: Advisory[] | null, why: string }>} */
function ask() {
  return new Promise((resolve) => {
    const args = ["audit", "--omit=dev", "--json", "--audit=true", "--package-lock-only", "--fetch-retries=0"];
    const options = { cwd: root, maxBuffer: 64 * 1024 * 1024, timeout: 120_000, shell: process.platform === "win32" };
    execFile("npm", args, options, (error, stdout) => resolve(read(stdout, error)));
  });
}

/** @param {string} text @param {Error | null} error */
function read(text, error) {
  try {
    const report = JSON.parse(text);
    if (report.vulnerabilities === undefined) return { advisories: null, why: report.message ?? "no report" };
    /** @type {{ via: (string | Advisory)[] }[]} */
    const vulnerable = Object.values(report.vulnerabilities);
    const advisories = vulnerable.flatMap(({ via }) => via.filter((one) => typeof one !== "string"));
    return { advisories: /** @type {Advisory[]} */ (advisories), why: "" };
  } catch {
    return { advisories: null, why: error?.message ?? "no report" };
  }
}

/** The advisory's own name: the last part of its address. @param {Advisory} advisory */
function idOf({ url = "" }) {
  return url.slice(url.lastIndexOf("/") + 1);
}

const today = new Date().toISOString().slice(0, 10);
/** @type {Exception[]} */
const exceptions = JSON.parse(
  readFileSync(process.env["AUDIT_EXCEPTIONS"] ?? join(root, "bin/audit-exceptions.json"), "utf8"),
);
const { advisories, why } = await ask();
if (advisories === null) {
  console.log(`Dependencies were not audited: the registry does not answer (${why}).`);
  process.exit(0);
}
const grave = advisories.filter(({ severity = "" }) => GRAVE.includes(severity));
const open = grave.filter((advisory) => !exceptions.some(({ id, until }) => id === idOf(advisory) && today <= until));
for (const { severity, name, range, title, url } of open)
  console.error(`${severity}: ${name} ${range}: ${title} (${url})`);
const unused = exceptions.filter(({ id }) => !grave.some((advisory) => idOf(advisory) === id));
for (const { id } of unused)
  console.error(`${id} is excepted in bin/audit-exceptions.json and no longer there: remove it.`);
console.log(`${advisories.length} advisories, ${grave.length} high or critical, ${open.length} of them open.`);
process.exit(open.length + unused.length > 0 ? 1 : 0);
