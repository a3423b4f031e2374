import { setInterval } from "node:timers";
import { getHeapStatistics } from "node:v8";
import type { LogTask, LogTaskResult } from "@/bench/support/run-log-task";
import { exportLog } from "@/lib/audit/export/export";
import { verifyLog } from "@/lib/audit/verify/verify";
import { executionExportQuery } from "@/lib/contracts/log/execution-export";
import { closeDatabase } from "@/lib/store/db/database";
import { readExport } from "@/lib/store/log/log-exports";

// A process of bench/audit.ts: does one task over the log and reports its cost.

const MEGABYTE = 1024 * 1024;
const POLL_MS = 20;
const EXPORTER = { actor: { kind: "system", name: "bench", role: "admin" }, requestId: null } as const;

const kind = process.argv[2] as LogTask;
let heap = 0;
const clock = setInterval(() => (heap = Math.max(heap, getHeapStatistics().used_heap_size)), POLL_MS);
const start = performance.now();
const made = kind === "verify" ? await verified() : await exported(kind);
const seconds = (performance.now() - start) / 1_000;
clearInterval(clock);
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
process.send?.({
  ...made,
  seconds,
  processor: (userCPUTime + systemCPUTime) / 1e6,
  // Node reports kilobytes on Linux and macOS.
  resident: maxRSS / 1024,
  heap: heap / MEGABYTE,
} satisfies LogTaskResult);
await closeDatabase();
process.disconnect?.();

async function verified() {
  const report = await verifyLog({ checkpoints: [] });
  if (!report.intact) throw new Error(JSON.stringify(report));
  return { count: report.rows, text: 0 };
}

async function exported(format: Exclude<LogTask, "verify">) {
  const { id, parts } = await exportLog(executionExportQuery.parse({ format }), EXPORTER);
  let characters = 0;
  for await (const part of parts) characters += part.length;
  return { count: (await readExport(id))?.count ?? 0, text: characters / MEGABYTE };
}
