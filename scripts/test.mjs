import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { buildPackable, buildPrograms, generate } from "../bin/boot/build.mjs";
import { requireChromium } from "./chromium.mjs";
import { install, needsInstall } from "../bin/boot/install.mjs";
import { CommandError, endRunning, run } from "../bin/boot/run.mjs";

// npm test: runs every check, from a clean clone. After a failed stage the next ones still run. The last lines name what
// failed; the last one counts.

const root = fileURLToPath(new URL("..", import.meta.url));
const results = join(root, "test-results");
/**
 * `failed`: tests and stages by name. `repeated`: tests that passed only at their repetition, with what failed first.
 * @typedef {{ passed: number, skipped: number, failed: string[], repeated: string[] }} Count
 */
/** @type {Count} */
const total = { passed: 0, skipped: 0, failed: [], repeated: [] };
const STAGES = 10;
/** The tests often wait, for a timer, a database or a process. What runs behind them uses only those moments. */
const BEHIND = { nice: 19 };
let step = 0;

async function main() {
  rmSync(results, { recursive: true, force: true });
  mkdirSync(results, { recursive: true });
  const interop = stage("packages of the interoperability tests", async () => {
    const folder = join(root, "test/interop");
    if (needsInstall(folder)) await install(folder, "all", "--ignore-scripts");
  });
  const ready =
    (await stage("packages", async () => void (needsInstall(root) && (await install(root, "all"))))) &&
    (await stage("database client", () => generate(root)));
  await interop;
  if (!ready) return;
  // The tests find the programs built; otherwise they and the production build would build them at the same time.
  const bundled = await stage("programs", () => buildPrograms(root));
  const checks = [
    stage("lint", () => tool("oxlint/bin/oxlint", ["--disable-nested-config", "--deny-warnings", "."], BEHIND)),
    stage("format", () => tool("prettier/bin/prettier.cjs", ["--check", "--log-level", "warn", "."], BEHIND)),
    stage("types", async () => {
      await tool("next/dist/bin/next", ["typegen"], BEHIND);
      // Several checkers would check shared types several times: twice the processor time.
      await tool("typescript/bin/tsc", ["--noEmit", "-p", ".", "--checkers", "1"], BEHIND);
    }),
  ];
  // Both write to .next, so the build waits for the types.
  const built = Promise.all(checks).then(() => stage("production build", () => buildPackable(root, BEHIND)));
  await tests("unit and API tests", "vitest.json", countVitest, () =>
    tool(
      "vitest/vitest.mjs",
      ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${join(results, "vitest.json")}`],
      { live: true },
    ),
  );
  const isServable = (await built) && bundled;
  await tests("browser tests", "playwright.json", countPlaywright, async () => {
    if (!isServable) throw new Error("Not run: the build failed.");
    const env = {
      // Playwright sets FORCE_COLOR for its processes, and Node warns about the two together.
      NO_COLOR: undefined,
      CHROMIUM_PATH: await requireChromium(),
      PLAYWRIGHT_JSON_OUTPUT_NAME: join(results, "playwright.json"),
    };
    await tool("@playwright/test/cli.js", ["test", "--reporter=list,json"], { live: true, env });
  });
}

/**
 * @param {string} path below node_modules
 * @param {readonly string[]} args
 * @param {{ live?: boolean, nice?: number, env?: Record<string, string | undefined> }} options
 */
function tool(path, args, { env = {}, ...options } = {}) {
  return run(process.execPath, [join(root, "node_modules", path), ...args], {
    cwd: root,
    env: { NEXT_TELEMETRY_DISABLED: "1", NO_COLOR: "1", ...env },
    ...options,
  });
}

/** Runs one stage; shows and counts a failure once. @param {string} name @param {() => unknown} work */
async function stage(name, work) {
  const error = await attempt(name, work);
  if (error !== null) total.failed.push(name);
  return error === null;
}

/**
 * Runs a stage whose runner writes a JSON report. A runner that fails without a failed test (a file
 * that does not load, an error outside tests) counts as one failure.
 *
 * @template Report as the runner writes it
 * @param {string} name
 * @param {string} report
 * @param {(report: Report) => Count} count
 * @param {() => unknown} work
 */
async function tests(name, report, count, work) {
  const error = await attempt(name, work);
  const file = join(results, report);
  const { passed, skipped, failed, repeated } = existsSync(file)
    ? count(JSON.parse(readFileSync(file, "utf8")))
    : { passed: 0, skipped: 0, failed: [], repeated: [] };
  total.passed += passed;
  total.skipped += skipped;
  total.failed.push(...(error !== null && failed.length === 0 ? [name] : failed));
  total.repeated.push(...repeated);
}

/** @param {string} name @param {() => unknown} work @returns {Promise<Error | null>} */
async function attempt(name, work) {
  step += 1;
  const place = `[${step}/${STAGES}] ${name}`;
  const begun = Date.now();
  process.stdout.write(`\n${place}\n`);
  const error = await Promise.resolve()
    .then(work)
    .then(() => null)
    .catch((/** @type {Error} */ cause) => cause);
  if (error !== null) process.stdout.write(`${error instanceof CommandError ? error.message : String(error)}\n`);
  process.stdout.write(
    `${place}: ${error === null ? "ok" : "FAILED"} after ${Math.round((Date.now() - begun) / 1000)} s\n`,
  );
  return error;
}

/** @typedef {{ fullName: string, status: string, failureMessages: string[] }} Tried */

/** @param {{ numPassedTests: number, numPendingTests: number, numTodoTests: number, testResults: { name: string, assertionResults: Tried[] }[] }} report */
function countVitest({ numPassedTests, numPendingTests, numTodoTests, testResults }) {
  const tried = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map((test) => ({ ...test, name: `${relative(root, name)} › ${test.fullName}` })),
  );
  return {
    passed: numPassedTests,
    skipped: numPendingTests + numTodoTests,
    failed: tried.flatMap(({ status, name }) => (status === "failed" ? [name] : [])),
    repeated: tried.flatMap(({ status, name, failureMessages: [first] }) =>
      status === "passed" && first !== undefined ? [`${name}\n${first}`] : [],
    ),
  };
}

/** @typedef {{ status: string, results: { error?: { message?: string } }[] }} Attempted */
/** @typedef {{ title: string, suites?: Suite[], specs?: { title: string, tests: Attempted[] }[] }} Suite */

/** @param {{ stats: { expected: number, flaky: number, skipped: number }, suites: Suite[] }} report */
function countPlaywright({ stats, suites }) {
  const namesOf = (/** @type {string} */ status) => suites.flatMap((suite) => namesIn(suite, status));
  return {
    passed: stats.expected + stats.flaky,
    skipped: stats.skipped,
    failed: namesOf("unexpected"),
    repeated: namesOf("flaky"),
  };
}

/** The tests with a status; with what failed first, if they passed later. @param {Suite} suite @param {string} wanted @returns {string[]} */
function namesIn({ title, suites = [], specs = [] }, wanted) {
  const own = specs.flatMap(({ title: name, tests: tried }) => {
    const found = tried.find(({ status }) => status === wanted);
    const error = found?.results[0]?.error?.message;
    if (found === undefined) return [];
    return [wanted === "flaky" && error !== undefined ? `${name}\n${error}` : name];
  });
  const inner = suites.flatMap((suite) => namesIn(suite, wanted));
  return [...own, ...inner].map((name) => `${title} › ${name}`);
}

for (const signal of ["SIGINT", "SIGTERM"])
  process.on(signal, () => {
    endRunning();
    process.exitCode = 1;
  });

await main();
const { passed, failed, repeated } = total;
for (const name of repeated)
  process.stdout.write(`\nPassed only when it was repeated, which is a bug to mend: ${name}\n`);
for (const name of failed) process.stdout.write(`\nFailed: ${name}\n`);
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : "";
process.stdout.write(`\n${passed} passed, ${failed.length} failed${skipped}\n`);
process.exit(failed.length > 0 || passed === 0 ? 1 : (process.exitCode ?? 0));
