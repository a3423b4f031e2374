import { INSTRUMENTER_CONSTANTS } from "@stryker-mutator/api/core";
import { declareClassPlugin, PluginKind } from "@stryker-mutator/api/plugin";
import {
  determineHitLimitReached,
  DryRunStatus,
  TestStatus,
  toMutantRunResult,
} from "@stryker-mutator/api/test-runner";
import { JestAsymmetricMatchers, JestChaiExpect, JestExtend } from "@vitest/expect";
import * as chai from "chai";
import { build } from "esbuild";
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { format } from "node:util";
import { Script } from "node:vm";

// Runs for each mutant what holds the core and needs no database. Vitest's own runner starts a thread, and loads a
// hundred modules in it, for each of seven thousand mutants: a second each. Here the tests are one script, compiled
// once and evaluated anew for every mutant, so that nothing one mutant remembered is met by the next: some 50 ms.

/** Files of test/access; agreement.ts is the property tests, made short. */
const FILES = /^(.*\/)?(findings|refusals|profile-snapshot|[^/]*\.unit)\.test\.ts$/;
const SUITE = "test/mutation/agreement.ts";
const EXPECTED = "test/mutation/expected.ts";

chai.use(JestExtend);
chai.use(JestChaiExpect);
chai.use(JestAsymmetricMatchers);

/**
 * @import { DryRunResult, MutantRunOptions, MutantRunResult, TestResult } from "@stryker-mutator/api/test-runner"
 * @typedef {{ id: string, run: () => unknown }} Test
 * @typedef {(require: (name: string) => unknown, module: { exports: unknown }) => void} Program
 */

class OneScript {
  /** What Stryker's instrumented code reads: which mutant is on, and what was met. */
  #switches = globalSwitches();
  /** @type {Program} */
  #suite = () => {};
  /** @type {unknown} */
  #expected;

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init() {
    // Stryker makes the folder of the mutated copy the working folder.
    const root = process.cwd();
    const all = readdirSync(join(root, "test/access"), { recursive: true, encoding: "utf8" });
    const files = all.filter((file) => FILES.test(file));
    this.#suite = await bundled(root, [...files.map((file) => `test/access/${file}`), SUITE]);
    const expected = { exports: /** @type {any} */ ({}) };
    (await bundled(root, [EXPECTED]))(createRequire(import.meta.url), expected);
    this.#expected = frozen(expected.exports.expectedAnswers());
  }

  /** @returns {Promise<DryRunResult>} */
  async dryRun() {
    const tests = await this.#run(this.#load());
    const { mutantCoverage } = this.#switches;
    return { status: DryRunStatus.Complete, tests, ...(mutantCoverage && { mutantCoverage }) };
  }

  /** @param {MutantRunOptions} options @returns {Promise<MutantRunResult>} */
  async mutantRun({ activeMutant, mutantActivation, testFilter, hitLimit }) {
    const switches = this.#switches;
    switches.hitLimit = hitLimit;
    switches.hitCount = hitLimit === undefined ? undefined : 0;
    switches.activeMutant = mutantActivation === "static" ? activeMutant.id : undefined;
    try {
      const loaded = this.#load();
      switches.activeMutant = activeMutant.id;
      const tests = await this.#run(
        testFilter === undefined ? loaded : loaded.filter(({ id }) => testFilter.includes(id)),
        true,
      );
      return toMutantRunResult(
        determineHitLimitReached(switches.hitCount, hitLimit) ?? { status: DryRunStatus.Complete, tests },
      );
    } catch (error) {
      return toMutantRunResult(
        determineHitLimitReached(switches.hitCount, hitLimit) ?? {
          status: DryRunStatus.Complete,
          tests: [failed("the tests load", error, 0)],
        },
      );
    } finally {
      switches.activeMutant = undefined;
    }
  }

  /** Evaluates the tests' script: all of the core's modules, and the tests that they make. */
  #load() {
    const collected = collector(this.#expected);
    const require = createRequire(import.meta.url);
    this.#suite((name) => (name === "vitest" ? collected.vitest : require(name)), { exports: {} });
    return collected.tests;
  }

  /** @param {readonly Test[]} tests @param {boolean} [bail] @returns {Promise<TestResult[]>} */
  async #run(tests, bail = false) {
    /** @type {TestResult[]} */
    const results = [];
    for (const { id, run } of tests) {
      const start = performance.now();
      this.#switches.currentTestId = id;
      try {
        await run();
        results.push({ id, name: id, status: TestStatus.Success, timeSpentMs: performance.now() - start });
      } catch (error) {
        results.push(failed(id, error, performance.now() - start));
        if (bail) break;
      } finally {
        this.#switches.currentTestId = undefined;
      }
    }
    return results;
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, "one-script", OneScript)];

/** @param {string} id @param {unknown} error @param {number} timeSpentMs @returns {TestResult} */
function failed(id, error, timeSpentMs) {
  return { id, name: id, status: TestStatus.Failed, failureMessage: String(error), timeSpentMs };
}

/** @returns {{ [K in keyof import("@stryker-mutator/api/core").InstrumenterContext]: import("@stryker-mutator/api/core").InstrumenterContext[K] | undefined }} */
function globalSwitches() {
  const all = /** @type {Record<string, any>} */ (globalThis);
  return (all[INSTRUMENTER_CONSTANTS.NAMESPACE] ??= {});
}

/** @param {string} root @param {readonly string[]} files @returns {Promise<Program>} */
async function bundled(root, files) {
  const { outputFiles } = await build({
    stdin: { contents: files.map((file) => `export * from "./${file}";`).join("\n"), resolveDir: root },
    alias: { "@": root },
    bundle: true,
    define: { "import.meta.dirname": JSON.stringify(join(root, "test/access")) },
    format: "cjs",
    packages: "external",
    platform: "node",
    target: "node20",
    write: false,
  });
  const text = outputFiles.map((file) => file.text).join("");
  return new Script(`(function (require, module) {${text}\n})`, { filename: "suite.cjs" }).runInThisContext();
}

/** As much of Vitest as these tests use. @param {unknown} expected */
function collector(expected) {
  /** @type {Test[]} */
  const tests = [];
  const known = new Set();
  /** @type {string[]} */
  const within = [];
  /** @param {string} name @param {() => unknown} run */
  const test = (name, run) => {
    let id = [...within, name].join(" > ");
    while (known.has(id)) id += "'";
    known.add(id);
    tests.push({ id, run });
  };
  /** @param {string} name @param {() => void} body */
  const describe = (name, body) => {
    within.push(name);
    body();
    within.pop();
  };
  const vitest = {
    expect: chai.expect,
    inject: () => expected,
    test: Object.assign(test, { each: each(test) }),
    it: Object.assign(test, { each: each(test) }),
    describe: Object.assign(describe, { each: each(describe) }),
  };
  return { tests, vitest };
}

/** @param {(name: string, body: () => unknown) => void} one */
function each(one) {
  /** @param {readonly unknown[]} rows */
  return (rows) => (/** @type {string} */ name, /** @type {(...row: unknown[]) => unknown} */ body) => {
    // Rows are spread when all of them are lists, as in Vitest.
    const spread = rows.every((row) => Array.isArray(row));
    for (const row of rows) {
      const values = spread && Array.isArray(row) ? row : [row];
      const places = name.match(/%[sijdo]/g)?.length ?? 0;
      one(format(name, ...values.slice(0, places)), () => body(...values));
    }
  };
}

/** @template T @param {T} value @returns {T} */
function frozen(value) {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}
