import { adminRoute } from "@/app/api/admin/admin-route";
import { APPROVAL_OPERATIONS } from "@/lib/contracts/operations/approval-operations";
import { expireApprovals, listApprovals } from "@/lib/store/calls/approvals";

export const GET = adminRoute(APPROVAL_OPERATIONS.list_approvals, async ({ query }) => {
  await expireApprovals(new Date());
  return listApprovals(query);
});
