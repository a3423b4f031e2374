import { adminRoute } from "@/app/api/admin/admin-route";
import { answerApproval } from "@/lib/calls/approvals/approvals";
import { APPROVAL_OPERATIONS } from "@/lib/contracts/operations/approval-operations";

export const POST = adminRoute(
  APPROVAL_OPERATIONS.refuse_call,
  async ({ caller, params: { id }, body: { reason }, requestId }) =>
    answerApproval(id, "refuse", { actor: caller.actor, reason, requestId }),
);
