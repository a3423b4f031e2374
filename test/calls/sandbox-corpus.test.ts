import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
  child = spawn(process.execPath, [program], { env: { NODE_ENV: "test" } });
  lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  child.stderr.on("data", (text: Buffer) => (complaints += text.toString()));
});
afterAll(() => child.kill());

/** One process runs all scripts, so each of them meets what those before it left. */
let child: ChildProcessWithoutNullStreams;
let lines: AsyncIterator<string>;
let complaints = "";

async function run(file: string, cpuMs: number): Promise<CorpusRun> {
  child.stdin.write(`${cpuMs} ${file}\n`);
  const { value } = (await lines.next()) as IteratorResult<string, undefined>;
  expect(complaints).toBe("");
  if (value === undefined) throw new Error("The process of the scripts has ended.");
  return JSON.parse(value) as CorpusRun;
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
      const message = verdict.ok ? "" : verdict.message;
      expect(message.length).toBeLessThan(1_200);
      expect(message).not.toMatch(/worker\.mjs|house\.js:|node_modules|wasm/);
      expect(wallMs).toBeLessThan(cpuMs + SLACK_MS);
      expect(grownMiB).toBeLessThan(64);
      expect(heldUpMs).toBeLessThan(1_000);
      expect(healthy).toBe(true);
    },
  );
});
