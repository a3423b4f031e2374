import { LogKeeper } from "@/lib/audit/seal/keeper";
import type { CheckpointStore } from "@/lib/audit/seal/checkpoint";
import { startJobs } from "@/lib/jobs/runner";

/** Seals the log each second in this process, as an instance does, until `stopJobs`. */
export function startSealing(stores: readonly CheckpointStore[] = []): void {
  const keeper = new LogKeeper(stores);
  startJobs([
    { name: "seals", everyMs: 1_000, run: (now) => keeper.sealPending(now) },
    { name: "checkpoints", everyMs: 1_000, run: (now) => keeper.syncCheckpoints(now) },
  ]);
}
