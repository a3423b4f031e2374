import { cpuMilliseconds, report } from "@/bench/support/measure";
import { configurationOf, STATED, type Size } from "@/bench/support/workload";
import { compile } from "@/lib/access/compile";
import type { Configuration } from "@/lib/access/configuration";

// What a change of configuration costs: compiling it whole, and the memory that the index keeps.

/** Megabytes in use once everything unreachable is gone. */
function usedMemory(): number {
  for (let round = 0; round < 3; round += 1) globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 2 ** 20;
}

/** As the store hands it over: parsed, its texts flat. */
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
