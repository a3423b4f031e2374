import { compare, cpuMilliseconds, report } from "@/bench/support/measure";
import { configurationOf, STATED, type Size } from "@/bench/support/workload";
import { compile } from "@/lib/access/compile/compile";
import type { Configuration } from "@/lib/access/model/configuration";

// Measures what a change of configuration costs: compiling all of it, the memory of the index, and one changed row.

/** Megabytes in use after a collection. */
function usedMemory(): number {
  for (let round = 0; round < 3; round += 1) globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 2 ** 20;
}

/** A configuration as the store loads it: parsed from text, so that its strings are flat. */
function asStored(size: Size): Configuration {
  return JSON.parse(JSON.stringify(configurationOf(size))) as Configuration;
}

function measure(what: string, size: Size, seconds: number): void {
  const stored = asStored(size);
  const before = usedMemory();
  const { milliseconds, made: index } = cpuMilliseconds(() => compile(stored));
  const kept = usedMemory() - before;
  report(`compiling ${what}: seconds of CPU`, milliseconds / 1000, { atMost: seconds }, " s");
  console.log(
    `        the index of ${index.tools.all.length} tools keeps ${kept.toFixed(1)} MB besides its configuration`,
  );
}

measure("1,000 policies × 10,000 tools × 100 groups", STATED, 1);
measure("1,000 policies × 100,000 tools × 100 groups", { ...STATED, tools: 100_000 }, 8);
measure("10,000 policies × 100,000 tools × 1,000 groups", { tools: 100_000, groups: 1_000, policies: 10_000 }, 8);

/** The rows with the n-th one changed; all others stay the same objects, as in the store. */
function changedAt<Row extends object>(rows: readonly Row[], n: number, change: Partial<Row>): readonly Row[] {
  return rows.map((row, at) => (at === n % rows.length ? { ...row, ...change } : row));
}

const stored = asStored(STATED);
const before = compile(stored);
const tool = { description: "changed" };
const added = stored.tools.slice(0, 1).map((one) => ({ ...one, id: "shop:new", operation: "new", name: "new" }));
const changes = {
  policy: (n: number) => ({ ...stored, policies: changedAt(stored.policies, n, { description: "changed" }) }),
  tool: (n: number) => ({ ...stored, tools: changedAt(stored.tools, n, tool) }),
  newTool: () => ({ ...stored, tools: [...added, ...stored.tools] }),
  group: (n: number) => ({ ...stored, groups: changedAt(stored.groups, n, { description: "changed" }) }),
};
const times = compare({
  whole: { calls: 1, work: (n) => compile(changes.policy(n)) },
  policy: { calls: 5, work: (n) => compile(changes.policy(n), before) },
  tool: { calls: 5, work: (n) => compile(changes.tool(n), before) },
  newTool: { calls: 5, work: () => compile(changes.newTool(), before) },
  group: { calls: 5, work: (n) => compile(changes.group(n), before) },
});
for (const [what, name] of Object.entries({
  policy: "changed policy",
  tool: "changed tool",
  newTool: "new tool",
  group: "changed group",
} as const)) {
  const time = times[what as keyof typeof changes];
  console.log(`        ${name}: ${time.toFixed(1)} ms, whole: ${times.whole.toFixed(1)} ms`);
  report(`one ${name} among 10,000 tools / compiling whole`, time / times.whole, { atMost: 1 / 3 });
}
