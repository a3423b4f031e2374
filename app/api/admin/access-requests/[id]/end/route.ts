import { adminRoute } from "@/app/api/admin/admin-route";
import { endAccess } from "@/lib/calls/access/answer";
import { ACCESS_OPERATIONS } from "@/lib/contracts/operations/access-operations";

export const POST = adminRoute(ACCESS_OPERATIONS.end_access, async ({ caller, params: { id } }) =>
  endAccess(id, caller.actor),
);
