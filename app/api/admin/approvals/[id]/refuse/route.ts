import { adminRoute } from "@/app/api/admin/admin-route";
import { answerApproval } from "@/lib/calls/approvals/approvals";
import { APPROVAL_OPERATIONS } from "@/lib/contracts/operations/approval-operations";

// POST /api/admin/approvals/{id}/refuse: ends the call; its caller gets the reason.
export const POST = adminRoute(
  APPROVAL_OPERATIONS.refuse_call,
  async ({ caller, params: { id }, body: { reason }, requestId }) =>
    answerApproval(id, "refuse", { actor: caller.actor, reason, requestId }),
);
