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
/** Milliseconds until an instance tries again to take part in the queue of a store that was not there. */
const AGAIN_MS = 5_000;

/**
 * What an instance does beside answering, from now on: it says that it is alive, and goes on closing the calls of
 * instances that are gone (docs/reference/execution.md#pipeline), runs those that are answered later, delivers events and callbacks, seals the log and lets go of what it is not to keep, and synchronises sources
 * that are due, or whose server says that its tools changed. A store that is not there yet is tried again.
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
 * What the app behind a gateway does beside answering, which runs no jobs: it follows the connections to MCP servers that
 * admin routes open, and when it is told to end it writes what it counted. The gateway has ended before it, so that nobody asks it any more.
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
 * Ends that: nothing more is taken on, whoever listens for changes of a list is told to come back, and the calls that
 * this process runs, whoever waits for them, have their time; after the last of them, counted refusals are written and tools
 * in code end what they hold.
 */
export async function endBackground(): Promise<void> {
  endListWatches();
  // A store that is lost hands nothing out either.
  await leaveCallQueue().catch(() => {});
  await untilNoneRuns();
  await flushRefusals();
  await shutdownBuiltinTools();
}

async function startWorking(): Promise<void> {
  await workQueuedCalls().catch(() => void setTimeout(() => void startWorking(), AGAIN_MS).unref());
}
