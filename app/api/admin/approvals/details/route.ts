import { adminRoute } from "@/app/api/admin/admin-route";
import { readApprovals } from "@/lib/calls/approvals/approvals";
import { APPROVAL_OPERATIONS } from "@/lib/contracts/operations/approval-operations";

export const POST = adminRoute(APPROVAL_OPERATIONS.read_approvals, async ({ body, caller, requestId }) => ({
  items: await readApprovals(body.ids, caller.actor, requestId),
}));
