import { env } from "@/lib/env";
import type { Written } from "@/lib/store/log/executions-log";
import type { Intent } from "@/lib/store/log/executions-rows";
import type { Answer, Answerer, Facts } from "@/lib/calls/pipeline/answer";
import { toApproval } from "@/lib/calls/approvals/approvals";
import type { Call } from "@/lib/calls/pipeline/call";
import { preconditionsOf, type CallContext } from "@/lib/calls/pipeline/call-context";
import type { AuthorizedCall } from "@/lib/calls/pipeline/decide";
import type { Dependencies } from "@/lib/calls/pipeline/dependencies";
import { labelPreconditions } from "@/lib/calls/pipeline/labels";
import { refuse } from "@/lib/calls/pipeline/refuse";
import { tooManyWaiting } from "@/lib/calls/limits/limits";
import { deliveryOf, toQueued } from "@/lib/calls/queue/queued";
import { logged } from "@/lib/calls/record/logged";
import { UNDECIDED } from "@/lib/calls/record/call-telemetry";
import type { Decided } from "@/lib/calls/record/record";

/** Queues a call that runs later. It raises its labels when it starts. */
export async function accept(
  call: Call,
  decision: AuthorizedCall,
  decided: Decided & { readonly context: CallContext },
  deps: Dependencies,
  { answer, asks, intent }: { readonly answer: Answerer; readonly asks: boolean; readonly intent: Intent },
): Promise<Answer | Written> {
  const { caller, snapshot, session, context } = decided;
  const labels = labelPreconditions(context.labels, []);
  const preconditions = preconditionsOf(caller, snapshot, session, { labels });
  const approval = asks ? toApproval(decided.call, decision, context) : null;
  const written = await logged(call, () =>
    deps.storedCalls.queueCall(intent, preconditions, toQueued(call, caller, decision), approval),
  );
  if (written === "unknown") return { ...answer.failure(UNCONFIRMED, {}), end: UNDECIDED };
  if (written === "full") return refuse(decided, tooManyWaiting(env.WAITING_CALLS_PER_CALLER), deps, answer);
  if (!written.written) return written;
  call.onAuthorized?.();
  return answer.accepted(asks ? "awaiting_approval" : "pending", acceptedFacts(call, decision, context));
}

/** The call may run: only its caller can say whether a second call does harm. */
const UNCONFIRMED = {
  code: "log_unavailable",
  message:
    "The store did not confirm this call, so it may still run. Read its status by its call id before you repeat it.",
  retryable: false,
} as const;

function acceptedFacts(call: Call, authorized: AuthorizedCall, { snapshot, resolution }: CallContext): Facts {
  const { state } = resolution;
  return {
    state: { before: state, after: state },
    revision: snapshot.revision,
    toolId: authorized.tool.id,
    name: authorized.visible.exposedName,
    delivery: deliveryOf(authorized),
  };
}
