import { adminRoute } from "@/app/api/admin/admin-route";
import { readAccess } from "@/lib/calls/access/answer";
import { ACCESS_OPERATIONS } from "@/lib/contracts/operations/access-operations";

export const GET = adminRoute(ACCESS_OPERATIONS.read_access_request_of_agent, async ({ caller, params: { id } }) =>
  readAccess(id, caller.actor),
);
