import { median, report } from "@/bench/support/measure";
import { Sandbox } from "@/lib/sandbox/sandbox";
import { builtinTool } from "@/lib/calls/builtin/index";
import type { ToolContext } from "@/lib/calls/pipeline/contract";

// Measures one sum by a script in a warm thread, by a script in a new thread, and by a tool in code.

const ROUNDS = 200;
const COLD_ROUNDS = 15;
const script = {
  code: "export default ({ a, b }) => ({ value: a + b });",
  args: '{"a":19,"b":23}',
  cpuMs: 1_000,
  nested: false,
  signal: new AbortController().signal,
  callTool: async () => ({ ok: false, code: "internal", message: "There is no tool." }) as const,
  print: () => {},
};

async function once(sandbox: Sandbox): Promise<void> {
  const verdict = await sandbox.run(script);
  if (!verdict.ok || verdict.output !== '{"value":42}')
    throw new Error(`the script answered ${JSON.stringify(verdict)}`);
}

async function milliseconds(rounds: number, work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return median(times);
}

const warmed = new Sandbox();
await once(warmed);
const warm = await milliseconds(ROUNDS, () => once(warmed));
const cold = await milliseconds(COLD_ROUNDS, async () => {
  const sandbox = new Sandbox();
  await once(sandbox);
  sandbox.close();
});
const calculate = builtinTool("builtin:calculate");
const code = await milliseconds(ROUNDS, async () => calculate?.execute({ expression: "19+23" }, {} as ToolContext));
warmed.close();

for (const [name, time] of Object.entries({ warm, cold, code }))
  console.log(`        ${name.padEnd(14)} ${time.toFixed(4)} ms`);
console.log(`        a warm script costs ${(warm - code).toFixed(2)} ms more than a tool in code`);
report("script in a warm thread / in a new one", warm / cold, { atMost: 1 / 8 });
