import { readFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { ToolAnswer, Verdict } from "@/lib/sandbox/messages";
import { Sandbox } from "@/lib/sandbox/sandbox";

// Runs one hostile script in a separate process: `node run-corpus-script.mjs FILE CPU_MS` prints a `CorpusRun` as JSON.

/** The effects of a hostile script on the process. */
export interface CorpusRun {
  readonly verdict: Verdict;
  /** Milliseconds from the call to its verdict. */
  readonly wallMs: number;
  /** How much the process grew at most, in MiB, its threads included. */
  readonly grownMiB: number;
  /** The longest that anything else in the process had to wait, in milliseconds. */
  readonly heldUpMs: number;
  /** Whether the next script is served. */
  readonly healthy: boolean;
}

const MIB = 1024 * 1024;
const args = '{"__proto__":{"admin":true},"constructor":"x","n":1}';
const answers: Readonly<Record<string, () => Promise<ToolAnswer>>> = {
  slow: () => new Promise((resolve) => setTimeout(resolve, 300, { ok: true, output: 1 })),
  large: async () => ({ ok: true, output: "x".repeat(500_000) }),
  poison: async () => ({
    ok: true,
    output: JSON.parse('{"__proto__":{"admin":true},"toString":1,"then":{}}') as unknown,
  }),
};
const sandbox = new Sandbox();

function run(code: string): Promise<Verdict> {
  return sandbox.run({
    code,
    args,
    cpuMs: Number(process.argv[3]),
    nested: false,
    signal: AbortSignal.timeout(60_000),
    callTool: async (name) => (await answers[name]?.()) ?? { ok: true, output: { name } },
    print: () => {},
  });
}

const good = "export default ({ n }) => n + 1;";
await run(good);
const before = process.memoryUsage.rss();
let most = before;
const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 10);
const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();
const started = performance.now();
const verdict = await run(readFileSync(process.argv[2] ?? "", "utf8"));
const wallMs = performance.now() - started;
delay.disable();
clearInterval(watch);
const next = await run(good);
const done: CorpusRun = {
  verdict,
  wallMs,
  grownMiB: (most - before) / MIB,
  heldUpMs: delay.max / 1e6,
  healthy: next.ok && next.output === "2",
};
console.log(JSON.stringify(done));
sandbox.close();
