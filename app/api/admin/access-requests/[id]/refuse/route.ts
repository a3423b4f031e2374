import { adminRoute } from "@/app/api/admin/admin-route";
import { refuseAccess } from "@/lib/calls/access/answer";
import { ACCESS_OPERATIONS } from "@/lib/contracts/operations/access-operations";

export const POST = adminRoute(ACCESS_OPERATIONS.refuse_access, async ({ caller, params: { id }, body, requestId }) =>
  refuseAccess(id, { ...body, actor: caller.actor, requestId }),
);
