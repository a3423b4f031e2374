import type { Dependencies } from "@/lib/calls/pipeline/dependencies";
import { registerRunning } from "@/lib/calls/queue/running";
import { runClaimed } from "@/lib/calls/queue/worker";
import { db } from "@/lib/store/db/database";
import { open } from "@/lib/store/keys/cipher";
import type { ClaimedCall } from "@/lib/store/calls/queued-calls";
import { liveInstance } from "@/lib/store/log/executions-reaper";

/** Claims one queued call for an instance, as its job does with the oldest; `null` when another has it or it was cancelled. */
export async function claimCall(callId: string, instance: string): Promise<ClaimedCall | null> {
  const [claimed] = await db().$queryRaw<{ job: string | null; dueAt: Date | null }[]>`
    UPDATE kept_call SET status = 'running', instance = ${instance}
    WHERE "callId" = ${callId} AND status = 'queued' AND NOT cancelled RETURNING job, "dueAt"`;
  if (claimed === undefined) return null;
  const { job, dueAt } = claimed;
  return { callId, instance, dueAt, text: job === null ? null : open("calls", job, callId) };
}

/** Runs one queued call in this process, at once and to its end. */
export async function runQueued(callId: string, deps: Dependencies): Promise<void> {
  const ended = registerRunning(callId);
  try {
    const claimed = await claimCall(callId, await liveInstance());
    if (claimed !== null) await runClaimed(claimed, deps);
  } finally {
    ended();
  }
}
