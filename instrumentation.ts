/**
 * Runs once when the server starts: the process says that it is alive, and goes on closing the calls of
 * processes that are gone (4-execution, Pipeline). A store that is not there yet is tried again by the first call.
 */
export async function register(): Promise<void> {
  // Next compiles this file for its edge runtime too, where there is no store; it replaces the condition.
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { liveInstance } = await import("@/lib/store/executions-reaper");
    await liveInstance().catch(() => {});
  }
}
