import { LogKeeper } from "@/lib/audit/seal/keeper";
import type { CheckpointPlace } from "@/lib/audit/seal/checkpoint";
import { startJobs } from "@/lib/jobs/runner";

/** Seals the log each second in this process, as an instance does, until `stopJobs`. */
export function startSealing(places: readonly CheckpointPlace[] = []): void {
  const keeper = new LogKeeper(places);
  startJobs([
    { name: "seals", everyMs: 1_000, run: (now) => keeper.sealPending(now) },
    { name: "checkpoints", everyMs: 1_000, run: (now) => keeper.syncCheckpoints(now) },
  ]);
}
