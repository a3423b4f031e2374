import { authenticateAgain } from "@/lib/auth/agents/agent";
import type { Caller } from "@/lib/auth/agents/caller";
import { AppError, type FieldProblem } from "@/lib/errors";
import { findHeldLabels } from "@/lib/store/labels/held-labels";
import { findSession } from "@/lib/store/calls/sessions";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";
import { metrics } from "@/lib/telemetry/metrics";
import type { Stated } from "@/lib/calls/pipeline/request-fields";
import type { Refusal } from "@/lib/calls/pipeline/call";
import { measuredResolve } from "@/lib/calls/pipeline/measured-resolve";
import { buildCallContext, isOutdated, type CallContext } from "@/lib/calls/pipeline/call-context";

/** Options of a list that do not narrow it. */
interface ListOptions {
  readonly requestId: string;
  readonly minRevision?: number | undefined;
  readonly skipCache?: boolean | undefined;
  /** Epoch milliseconds. */
  readonly now?: number;
  /** The request opens a session, so an agent with server-held state has no session to name yet. */
  readonly opensSession?: boolean;
  /** Whether a watched list is resolved again: that is no request, so it counts no denial. */
  readonly isRepeated?: boolean;
}

/**
 * Builds the caller's context now, exactly as a call of the same request would. So every listed tool can be called.
 *
 * @throws AppError with the code of the refusal; `config_unavailable`
 */
export async function callContextOf(
  caller: Caller,
  stated: Stated,
  sessionId: string | null,
  {
    requestId,
    minRevision,
    skipCache = false,
    now = Date.now(),
    opensSession = false,
    isRepeated = false,
  }: ListOptions,
): Promise<CallContext> {
  const snapshot = await currentSnapshot(minRevision);
  // A body may arrive long after the credential was checked, and a request may demand a newer revision.
  const present = isOutdated(caller, snapshot) ? await authenticateAgain(caller, snapshot) : caller;
  const built = await buildCallContext({ stated, sessionId, opensSession, requestId }, present, snapshot, {
    findSession,
    findHeldLabels,
    resolve: (index, request, at) => measuredResolve(index, request, at, { skipCache }),
    now: () => now,
  });
  if (!built.ok) throw toAppError(built.refusal);
  if (!isRepeated && built.context.resolution.matchedPolicies.length === 0) metrics().denied.of(NO_GRANT).add();
  return built.context;
}

/** No policy matched, or denies removed everything: the list is empty and access was denied (docs/reference/decision.md#policy). */
const NO_GRANT = { reason: "no_policy_grant" } as const;

/** The refusal of a request that is not a call, as a problem document. */
function toAppError({ code, message, details }: Refusal): AppError {
  const errors = Array.isArray(details) ? (details as unknown as readonly FieldProblem[]) : [];
  return new AppError(code, message, { errors });
}
