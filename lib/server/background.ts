import { endListWatches } from "@/lib/agents/streams/watch-list";
import { shutdownBuiltinTools } from "@/lib/calls/builtin/index";
import { startJobs, stopJobs } from "@/lib/jobs/runner";
import { jobTable } from "@/lib/jobs/table";
import { withTimeout } from "@/lib/process/timeout";
import { registerRuntimeGauges } from "@/lib/server/runtime-gauges";
import { followToolChanges } from "@/lib/sources/mcp/follow-changes";
import { flushRefusals } from "@/lib/store/audit/refusals";
import { liveInstance } from "@/lib/store/log/executions-reaper";
import { stopExport } from "@/lib/telemetry/export";
import { log } from "@/lib/telemetry/log";

/** Milliseconds that the app has for ending. */
const APP_END_MS = 7_000;

/** Starts the background work of an instance: every job of `lib/jobs/table.ts`, and syncs that MCP servers ask for. */
export async function startBackground(): Promise<void> {
  await liveInstance().catch(() => {});
  followToolChanges();
  registerRuntimeGauges();
  startJobs(jobTable());
}

/**
 * Starts the background work of the app behind a gateway: the few jobs that each process needs, and the MCP connections
 * that admin routes open. On a stop signal it writes its counters; the gateway has ended before, so no new requests
 * arrive.
 */
export function followRequests(): void {
  followToolChanges();
  startJobs(jobTable().filter(({ inApp }) => inApp));
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => {
      const ended = endBackground().then(stopExport);
      void withTimeout(ended, APP_END_MS, null).finally(() => process.exit(0));
    });
}

/**
 * Ends the background work: sends streams to another instance, claims no more queued calls, waits for running calls,
 * writes the counted refusals and shuts built-in tools down.
 */
export async function endBackground(): Promise<void> {
  endListWatches();
  // At once too: the process may be killed before its last call has ended.
  for (const ended of await Promise.allSettled([stopJobs(), flushRefusals()]))
    if (ended.status === "rejected")
      log.warn({ err: ended.reason as unknown }, "Background work failed while the process ended.");
  await shutdownBuiltinTools();
}
