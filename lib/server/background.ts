import { endListWatches } from "@/lib/agents/streams/watch-list";
import { measureStandingWork } from "@/lib/server/standing-metrics";
import { archivePlace } from "@/lib/audit/archive/archive-place";
import { checkpointPlaces } from "@/lib/audit/seal/checkpoint";
import { keepLog } from "@/lib/audit/seal/keeper";
import { keepRetention } from "@/lib/audit/archive/retention-keeper";
import { workDeliveries } from "@/lib/events/worker";
import { followToolChanges } from "@/lib/sources/mcp/follow-changes";
import { startSyncClock } from "@/lib/sources/sync";
import { leaveCallQueue } from "@/lib/store/calls/call-queue";
import { liveInstance } from "@/lib/store/log/executions-reaper";
import { flushRefusals } from "@/lib/store/audit/refusals";
import { stopExport } from "@/lib/telemetry/export";
import { shutdownBuiltinTools } from "@/lib/calls/builtin/index";
import { untilNoneRuns } from "@/lib/calls/queue/running";
import { workQueuedCalls } from "@/lib/calls/queue/worker";

/** Milliseconds that the app has for ending. */
const APP_END_MS = 7_000;
/** Milliseconds until an instance tries again to join the call queue after the store was unreachable. */
const AGAIN_MS = 5_000;

/**
 * Starts the background work of an instance: heartbeat, closing calls of dead instances
 * (docs/reference/execution.md#pipeline), queued calls, deliveries, sealing, retention and syncs. Retries while the store
 * is unreachable.
 */
export async function startBackground(): Promise<void> {
  await liveInstance().catch(() => {});
  startSyncClock();
  followToolChanges();
  workDeliveries();
  keepLog(checkpointPlaces());
  keepRetention(archivePlace());
  measureStandingWork();
  await startWorking();
}

/**
 * Starts the background work of the app behind a gateway. It runs no jobs, but follows the MCP connections that admin
 * routes open. On a stop signal it writes its counters; the gateway has ended before, so no new requests arrive.
 */
export function followRequests(): void {
  followToolChanges();
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => {
      const ended = endBackground().then(stopExport);
      const late = new Promise((resolve) => setTimeout(resolve, APP_END_MS));
      void Promise.race([ended, late]).finally(() => process.exit(0));
    });
}

/**
 * Ends the background work: accepts no more queued calls, sends streams to another instance, and waits for running calls.
 * Then writes counted refusals and shuts built-in tools down.
 */
export async function endBackground(): Promise<void> {
  endListWatches();
  // An unreachable store gives this process no calls either.
  await leaveCallQueue().catch(() => {});
  await untilNoneRuns();
  await flushRefusals();
  await shutdownBuiltinTools();
}

async function startWorking(): Promise<void> {
  await workQueuedCalls().catch(() => void setTimeout(() => void startWorking(), AGAIN_MS).unref());
}
