import { readFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createInterface } from "node:readline";
import type { ToolAnswer, Verdict } from "@/lib/sandbox/messages";
import { Sandbox } from "@/lib/sandbox/sandbox";

// Runs hostile scripts in a separate process, one after the other: for each line `CPU_MS FILE` of its input it prints a
// `CorpusRun` as one line of JSON.

/** The effects of a hostile script on the process. */
export interface CorpusRun {
  readonly verdict: Verdict;
  /** Milliseconds from the call to its verdict. */
  readonly wallMs: number;
  /** How much larger than at its start the process was at most, in MiB, its threads included. */
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

function run(code: string, cpuMs = 1_000): Promise<Verdict> {
  return sandbox.run({
    code,
    args,
    cpuMs,
    nested: false,
    signal: AbortSignal.timeout(60_000),
    callTool: async (name) => (await answers[name]?.()) ?? { ok: true, output: { name } },
    print: () => {},
  });
}

const good = "export default ({ n }) => n + 1;";
await run(good);
const atStart = process.memoryUsage.rss();

async function observe(code: string, cpuMs: number): Promise<CorpusRun> {
  let most = atStart;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 10);
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const started = performance.now();
  const verdict = await run(code, cpuMs);
  const wallMs = performance.now() - started;
  delay.disable();
  clearInterval(watch);
  most = Math.max(most, process.memoryUsage.rss());
  const next = await run(good);
  return {
    verdict,
    wallMs,
    grownMiB: (most - atStart) / MIB,
    heldUpMs: delay.max / 1e6,
    healthy: next.ok && next.output === "2",
  };
}

for await (const line of createInterface({ input: process.stdin })) {
  const [, cpuMs, file = ""] = /^(\d+) (.+)$/.exec(line) ?? [];
  console.log(JSON.stringify(await observe(readFileSync(file, "utf8"), Number(cpuMs))));
}
sandbox.close();
