import { archiveStorage } from "@/lib/audit/archive/archive-storage";
import { RetentionKeeper } from "@/lib/audit/archive/retention-keeper";
import { checkpointStores } from "@/lib/audit/seal/checkpoint";
import { LogKeeper } from "@/lib/audit/seal/keeper";
import { endLinks } from "@/lib/calls/linked-accounts/end-link";
import { dueDeliveries } from "@/lib/events/due-deliveries";
import { untilNoneRuns } from "@/lib/calls/queue/running";
import { queuedCalls } from "@/lib/calls/queue/worker";
import type { Job } from "@/lib/jobs/runner";
import { startDueSyncs } from "@/lib/sources/sync";
import { flushRefusals } from "@/lib/store/audit/refusals";
import { expireApprovals } from "@/lib/store/calls/approvals";
import { sweepAccessGrants } from "@/lib/store/requests/access-requests";
import { revertUnconfirmed } from "@/lib/store/requests/end-bypass";
import { expireRequests } from "@/lib/store/requests/expire-requests";
import { sweepStoredCalls } from "@/lib/store/calls/stored-calls";
import { sweepHeldLabels } from "@/lib/store/labels/held-labels";
import { sweepLimits } from "@/lib/store/calls/limits";
import { CALL_QUEUED } from "@/lib/store/calls/queued-calls";
import { sweepSessions } from "@/lib/store/calls/sessions";
import { sweepSignIns } from "@/lib/store/oauth/sweep";
import { rotateTokenKeys } from "@/lib/store/oauth/token-keys";
import { sweepEvents } from "@/lib/store/events/events";
import { sendHeartbeat } from "@/lib/store/log/executions-reaper";
import { flushObserved } from "@/lib/store/observed/record";
import { sweepObserved } from "@/lib/store/observed/remove";
import { sweepUsage } from "@/lib/store/usage/remove";
import { rollUpUsage } from "@/lib/store/usage/rollup";

/** Every background job. They start in this order and stop in the reverse order. */
export function jobTable(): readonly Job[] {
  const logKeeper = new LogKeeper(checkpointStores());
  const retention = new RetentionKeeper(archiveStorage());
  return [
    { name: "heartbeat", everyMs: 10_000, inApp: true, run: sendHeartbeat },
    { name: "seals", everyMs: 1_000, run: (now) => logKeeper.sealPending(now) },
    { name: "checkpoints", everyMs: 1_000, run: (now) => logKeeper.syncCheckpoints(now) },
    { name: "retention", everyMs: 2_000, run: () => retention.runCheck(() => new Date()) },
    { name: "usage", everyMs: 5_000, leased: true, run: () => rollUpUsage() },
    { name: "old-usage", everyMs: 600_000, leased: true, run: sweepUsage },
    { name: "old-observations", everyMs: 600_000, leased: true, run: sweepObserved },
    { name: "expired-approvals", everyMs: 10_000, leased: true, run: expireApprovals },
    { name: "expired-requests", everyMs: 10_000, leased: true, run: expireRequests },
    { name: "unconfirmed-changes", everyMs: 10_000, leased: true, run: revertUnconfirmed },
    { name: "old-access-grants", everyMs: 3_600_000, leased: true, run: sweepAccessGrants },
    { name: "old-sessions", everyMs: 10_000, leased: true, run: sweepSessions },
    { name: "old-labels", everyMs: 60_000, leased: true, run: sweepHeldLabels },
    { name: "old-limits", everyMs: 10_000, leased: true, run: sweepLimits },
    { name: "old-answers", everyMs: 10_000, leased: true, run: sweepStoredCalls },
    { name: "old-events", everyMs: 10_000, leased: true, run: sweepEvents },
    { name: "old-sign-ins", everyMs: 60_000, leased: true, run: sweepSignIns },
    { name: "token-keys", everyMs: 60_000, leased: true, run: rotateTokenKeys },
    { name: "ended-links", everyMs: 10_000, leased: true, run: (now) => endLinks(now) },
    { name: "source-syncs", everyMs: 30_000, run: (now) => startDueSyncs(now) },
    { name: "deliveries", everyMs: 1_000, wokenBy: ["delivery", "call_ended"], run: dueDeliveries() },
    { name: "observations", everyMs: 1_000, run: flushObserved, drain: flushObserved },
    { name: "refusals", everyMs: 60_000, inApp: true, run: flushRefusals, drain: drainRefusals },
    { name: "queued-calls", everyMs: 500, wokenBy: [CALL_QUEUED], run: queuedCalls(), drain: untilNoneRuns },
  ];
}

/** Waits for the calls of this process to end, then stores the refusals that they counted. */
async function drainRefusals(): Promise<void> {
  await untilNoneRuns();
  await flushRefusals();
}
