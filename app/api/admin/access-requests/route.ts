import { adminRoute } from "@/app/api/admin/admin-route";
import { ACCESS_OPERATIONS } from "@/lib/contracts/operations/access-operations";
import { listRequests } from "@/lib/store/requests/requests";

export const GET = adminRoute(ACCESS_OPERATIONS.list_access_requests, ({ caller, query }) =>
  listRequests(query, caller.role, { kind: "access" }),
);
