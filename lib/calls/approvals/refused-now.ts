import { check, resolve } from "@/lib/access/decide/resolve";
import { requireKeyOf } from "@/lib/auth/agents/api-key";
import { reauthenticate } from "@/lib/auth/agents/authenticate";
import { buildCallContext } from "@/lib/calls/pipeline/call-context";
import { againstPolicies } from "@/lib/calls/pipeline/decide";
import type { Job } from "@/lib/calls/queue/queued";
import type { ApprovalDetail } from "@/lib/contracts/log/approval";
import { AppError } from "@/lib/errors";
import { findSession } from "@/lib/store/calls/sessions";
import { findApiKey } from "@/lib/store/config/api-keys";
import { findHeldLabels } from "@/lib/store/labels/held-labels";
import type { Snapshot } from "@/lib/store/snapshot/snapshot";

/** Why a waiting call would be refused now: by its caller's credential, or by the rules, with its arguments. */
export async function refusedNow(
  toolId: string,
  job: string | null,
  snapshot: Snapshot,
): Promise<ApprovalDetail["refusedNow"]> {
  if (job === null) return null;
  const { call, caller } = JSON.parse(job) as Job;
  const now = Date.now();
  try {
    const fresh = reauthenticate(caller, snapshot, now);
    await requireKeyOf(fresh, findApiKey, now);
    const built = await buildCallContext(call, fresh, snapshot, {
      findSession,
      findHeldLabels,
      resolve: (index, request, at) => resolve(index, request, at),
      now: () => now,
    });
    if (!built.ok) return { reason: built.refusal.reason, state: null };
    const { request, resolution } = built.context;
    const checked = check(snapshot.index, request, toolId, now);
    if (checked.verdict === "unknown") return null;
    const refusal = checked.verdict === "hidden" ? checked : againstPolicies(toolId, call.arguments, built.context);
    return refusal === null ? null : { reason: refusal.reason, state: resolution.state };
  } catch (error) {
    if (error instanceof AppError && error.code === "unauthenticated") return { reason: error.code, state: null };
    throw error;
  }
}
