import { adminRoute } from "@/app/api/admin/admin-route";
import { readApproval } from "@/lib/calls/approvals/approvals";
import { APPROVAL_OPERATIONS } from "@/lib/contracts/operations/approval-operations";

// GET /api/admin/approvals/{id}: one waiting call, with what an approver must see. The read is logged first.
export const GET = adminRoute(APPROVAL_OPERATIONS.read_approval, async ({ caller, params: { id }, requestId }) =>
  readApproval(id, caller.actor, requestId),
);
