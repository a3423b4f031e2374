import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { beforeAll, describe, expect, it } from "vitest";
import type { CorpusRun } from "@/test/calls/run-corpus-script";

/** Scripts that mean harm; the first line of each says how it has to end: codes, or `ok` and the answer. */
const CORPUS = "test/calls/sandbox-corpus";
const scripts = readdirSync(CORPUS).map((file) => {
  const [first = ""] = readFileSync(join(CORPUS, file), "utf8").split("\n");
  const [, codes = "", answer] = /^\/\/ expect: ([a-z_ ]*?)(?: ?ok (.+))?$/.exec(first) ?? [];
  const ends = codes.split(" ").filter(Boolean);
  if (answer !== undefined) ends.push(answered(answer));
  return { name: file.replace(".js", ""), file: join(CORPUS, file), ends };
});

function answered(json: string): string {
  return `ok ${JSON.stringify(JSON.parse(json))}`;
}

/** Milliseconds of our own work around a script, with reserve for a busy machine. */
const SLACK_MS = 200 + 4_000;

const program = "node_modules/.cache/run-corpus-script.mjs";

beforeAll(async () => {
  await build({
    entryPoints: ["test/calls/run-corpus-script.ts"],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "silent",
  });
});

async function run(file: string, cpuMs: number): Promise<CorpusRun> {
  const args = [program, file, String(cpuMs)];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { env: { NODE_ENV: "test" } });
  expect(stderr).toBe("");
  return JSON.parse(stdout) as CorpusRun;
}

describe("the hostile corpus", () => {
  it("is large", () => {
    expect(scripts.length).toBeGreaterThanOrEqual(40);
    expect(scripts.filter(({ ends }) => ends.length === 0)).toEqual([]);
  });

  it.each(scripts)(
    "$name ends as it has to, in time, and takes nothing with it",
    // The clock is the wall's: a machine that does much else may end by it what should have ended otherwise.
    { timeout: 60_000, retry: 2 },
    async ({ file, ends }) => {
      // A shorter time limit ends these scripts in the same way.
      const cpuMs = ends[0] === "sandbox_timeout" ? 300 : 1_000;
      const { verdict, wallMs, grownMiB, heldUpMs, healthy } = await run(file, cpuMs);
      expect(ends).toContain(verdict.ok ? answered(verdict.output) : verdict.code);
      const told = verdict.ok ? "" : verdict.message;
      expect(told.length).toBeLessThan(1_200);
      expect(told).not.toMatch(/worker\.mjs|house\.js:|node_modules|wasm/);
      expect(wallMs).toBeLessThan(cpuMs + SLACK_MS);
      expect(grownMiB).toBeLessThan(64);
      expect(heldUpMs).toBeLessThan(1_000);
      expect(healthy).toBe(true);
    },
  );
});
