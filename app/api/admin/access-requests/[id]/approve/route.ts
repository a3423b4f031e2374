import { adminRoute } from "@/app/api/admin/admin-route";
import { approveAccess } from "@/lib/calls/access/answer";
import { ACCESS_OPERATIONS } from "@/lib/contracts/operations/access-operations";

export const POST = adminRoute(ACCESS_OPERATIONS.approve_access, async ({ caller, params: { id }, body, requestId }) =>
  approveAccess(id, { ...body, actor: caller.actor, requestId }),
);
