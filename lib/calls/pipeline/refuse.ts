import { storedSentence } from "@/lib/audit/record/redact";
import type { Written } from "@/lib/store/log/executions-log";
import type { Outcome } from "@/lib/store/log/executions-rows";
import { log } from "@/lib/telemetry/log";
import { endedStatus, type Answer, type Answerer } from "@/lib/calls/pipeline/answer";
import type { Refusal } from "@/lib/calls/pipeline/call";
import type { Dependencies } from "@/lib/calls/pipeline/dependencies";
import { logged } from "@/lib/calls/record/logged";
import { sessionMove, storedState, toIntent, toStoredError, type Decided } from "@/lib/calls/record/record";
import { labelPreconditions } from "@/lib/calls/pipeline/labels";
import { preconditionsOf } from "@/lib/calls/pipeline/call-context";

/**
 * Refuses a call at any step: writes its row with the true reason, then answers. Returns `Written` when a precondition no
 * longer holds: the call is then decided again.
 */
export async function refuse(
  decided: Decided,
  refusal: Refusal,
  deps: Dependencies,
  answer: Answerer,
): Promise<Answer | Written> {
  const { call, context, caller, snapshot, session } = decided;
  const state = context?.resolution.state ?? null;
  const refused = answer.error(refusal.code, refusal.message, {
    ...(refusal.details === undefined ? {} : { details: refusal.details }),
    ...(refusal.headers === undefined ? {} : { headers: refusal.headers }),
    state: { before: state, after: state },
    revision: snapshot.revision,
  });
  const at = deps.now();
  const outcome: Outcome = {
    callId: call.callId,
    callAt: new Date(call.at),
    at: new Date(at),
    status: endedStatus(refused),
    code: refusal.code,
    reason: storedSentence(refusal.reason, snapshot.settings.redact),
    error: toStoredError(refused.output.error, snapshot.settings.redact),
    stateAfter: storedState(state),
    attempts: 0,
    gatewayMs: refused.output.duration_ms,
    upstreamMs: null,
    empty: true,
    result: null,
  };
  const requestedTool = decided.toolId ?? call.toolId ?? call.name ?? "";
  const move = context && sessionMove(call, context, { toolId: requestedTool, success: false, empty: true, at });
  const intent = await toIntent(decided);
  const labels = context === null ? null : labelPreconditions(context.labels, []);
  const written = await logged(call, () =>
    deps.writeRefusal(intent, outcome, preconditionsOf(caller, snapshot, session, { labels }), move),
  );
  if (!written.written) return written;
  // A person who tries a tool sees the refusal anyway.
  if (outcome.status === "denied" && call.door !== "try") {
    const { toolId } = decided;
    const { code, reason } = refusal;
    const kind = { code, reason, toolId, callId: call.callId, agent: caller.principal.agent };
    // The refusal is logged. It stands even when its notification fails.
    await deps.announceRefusal(kind).catch((error: unknown) => {
      log.warn(
        { callId: call.callId, requestId: call.requestId, err: error },
        "A new kind of refusal could not be announced.",
      );
    });
  }
  const tool = snapshot.tools.get(decided.toolId ?? "") ?? null;
  return { ...refused, end: { tool, reason: refusal.reason, upstreamMs: null } };
}
