import { liveInstance } from "@/lib/store/executions-reaper";

/**
 * Runs once when the server starts: the process says that it is alive, and goes on closing the calls of
 * processes that are gone (4-execution, Pipeline). A store that is not there yet is tried again by the first call.
 */
export async function register(): Promise<void> {
  await liveInstance().catch(() => {});
}
