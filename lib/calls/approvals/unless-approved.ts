import { againstApproval } from "@/lib/calls/approvals/approvals";
import type { Call, Refusal } from "@/lib/calls/pipeline/call";
import type { CallContext } from "@/lib/calls/pipeline/call-context";
import type { AuthorizedCall } from "@/lib/calls/pipeline/decide";
import type { Dependencies } from "@/lib/calls/pipeline/dependencies";
import { rulesThatAsk } from "@/lib/access/decide/flow-rules";
import { logged } from "@/lib/calls/record/logged";
import { findLoggedRequest } from "@/lib/store/log/executions";

/** Step 8 of a call that can no longer wait for a person: it needs an earlier approval. */
export async function unlessApproved(
  call: Call,
  authorized: AuthorizedCall,
  context: CallContext,
  deps: Dependencies,
): Promise<Refusal | null> {
  const approval = await logged(call, () => deps.storedCalls.findApproval(call.callId));
  const refusal = againstApproval(approval, call, authorized, context);
  if (refusal !== null || rulesThatAsk(context.snapshot.index, context.request, authorized.tool.id).length === 0)
    return refusal;
  const loggedRequest = await logged(call, () => findLoggedRequest(call.callId));
  return againstLabels(loggedRequest?.request["labels"], context);
}

/** A person approved the call for the labels of its request. With more labels, a person must be asked again. */
function againstLabels(approved: unknown, { request }: CallContext): Refusal | null {
  const known = Array.isArray(approved) ? approved : [];
  const added = request.labels.filter((label) => !known.includes(label));
  if (added.length === 0) return null;
  return {
    code: "approval_denied",
    message: `The call was approved before the run held ${added.map((label) => `\`${label}\``).join(", ")}: make the call again.`,
    reason: "approval_denied: labels_added",
  };
}
