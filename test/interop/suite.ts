import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProgram } from "@/test/interop/programs";

// The official conformance suite, and the exclusions of docs/conformance.md.

/** The suite's result of one check. */
export interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly errorMessage?: string;
  readonly description?: string;
}

/** Runs the suite; the checks by scenario. `args`: a command of the suite with its options. */
export async function runSuite(args: readonly string[]): Promise<Map<string, readonly Check[]>> {
  const folder = mkdtempSync(join(tmpdir(), "conformance-"));
  try {
    await runProgram("node_modules/@modelcontextprotocol/conformance/dist/index.js", [...args, "-o", folder], folder);
    const found = readdirSync(folder, { recursive: true, encoding: "utf8" });
    const files = found.filter((name) => name.endsWith("checks.json"));
    const read = (name: string) => JSON.parse(readFileSync(join(folder, name), "utf8")) as Check[];
    return new Map(files.map((name) => [scenarioOf(name), read(name)]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function scenarioOf(file: string): string {
  return file.replace(/^server-/, "").replace(/-\d{4}-\d{2}-\d{2}T[^/]*\/checks\.json$/, "");
}

/** `scenario`, or `scenario:check`, with its reason, for a revision or for both. */
interface Exclusion {
  readonly what: string;
  readonly revision: string;
}

/** The exclusions are written down once, where people read them: the tables of docs/conformance.md. */
export function exclusionsFor(revision: string, side: "server" | "client"): string[] {
  const text = readFileSync(join(import.meta.dirname, "../../docs/conformance.md"), "utf8");
  const rows = [...text.matchAll(/^\| `([^`]+)` +\| (both|\d{4}-\d{2}-\d{2}) +\| \S.*\|$/gm)];
  return rows
    .map(([, what = "", of = ""]): Exclusion => ({ what, revision: of }))
    .filter((row) => row.revision === "both" || row.revision === revision)
    .filter(({ what }) => what.startsWith("auth/") === (side === "client"))
    .map(({ what }) => what);
}

/** The checks that say something of us; those of the messages' form come with any scenario. */
function ownChecks(checks: readonly Check[]): readonly Check[] {
  return checks.filter(({ id, status }) => !id.startsWith("wire-schema-") && status !== "SKIPPED" && status !== "INFO");
}

/** The problems of a scenario; one that checked nothing has failed. */
export function problemsOf(scenario: string, checks: readonly Check[]): string[] {
  if (ownChecks(checks).length === 0) return [scenario];
  const failed = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING");
  return failed.map(({ id }) => `${scenario}:${id}`);
}

/** What the tables of docs/conformance.md do not explain, and the rows that explain nothing. */
interface Verdict {
  readonly unexplained: readonly string[];
  readonly unused: readonly string[];
  /** Scenarios, scenarios that passed whole, checks, checks that passed: the row of docs/conformance.md. */
  readonly counts: readonly number[];
}

export function judge(results: ReadonlyMap<string, readonly Check[]>, excluded: readonly string[]): Verdict {
  const problems = [...results].flatMap(([scenario, checks]) => problemsOf(scenario, checks));
  const covers = (problem: string) => excluded.find((what) => problem === what || problem.startsWith(`${what}:`));
  const used = new Set(problems.map(covers));
  const passed = [...results].filter(([scenario, checks]) => problemsOf(scenario, checks).length === 0);
  const checks = [...results.values()].flatMap(ownChecks);
  const good = checks.filter(({ status }) => status === "SUCCESS");
  return {
    unexplained: problems.filter((problem) => covers(problem) === undefined),
    unused: excluded.filter((what) => !used.has(what)),
    counts: [results.size, passed.length, checks.length, good.length],
  };
}
