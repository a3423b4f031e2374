/** Milliseconds until a process tries again to take part in the queue of a store that was not there. */
const AGAIN_MS = 5_000;

async function startWorking(work: () => Promise<void>): Promise<void> {
  await work().catch(() => void setTimeout(() => void startWorking(work), AGAIN_MS).unref());
}

/**
 * Runs once when the server starts: the process says that it is alive, and goes on closing the calls of
 * processes that are gone (4-execution, Pipeline), running those that are answered later, and synchronising sources
 * that are due, or whose server says that its tools changed. A store that is not there yet is tried again.
 */
export async function register(): Promise<void> {
  // Next compiles this file for its edge runtime too, where there is no store; it replaces the condition.
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { liveInstance } = await import("@/lib/store/executions-reaper");
    const { workQueuedCalls } = await import("@/lib/tools/worker");
    const { startSyncClock } = await import("@/lib/sources/sync");
    const { followToolChanges } = await import("@/lib/sources/mcp/follow-changes");
    await liveInstance().catch(() => {});
    startSyncClock();
    followToolChanges();
    await startWorking(workQueuedCalls);
  }
}
