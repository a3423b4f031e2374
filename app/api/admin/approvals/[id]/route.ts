import { adminRoute } from "@/app/api/admin/admin-route";
import { readApproval } from "@/lib/calls/approvals/approvals";
import { APPROVAL_OPERATIONS } from "@/lib/contracts/operations/approval-operations";

export const GET = adminRoute(APPROVAL_OPERATIONS.read_approval, async ({ caller, params: { id }, requestId }) =>
  readApproval(id, caller.actor, requestId),
);
