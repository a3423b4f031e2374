import { adminRoute } from "@/app/api/admin/admin-route";
import { ACCESS_OPERATIONS } from "@/lib/contracts/operations/access-operations";
import { expireRequests, listRequests } from "@/lib/store/requests/requests";

// GET /api/admin/access-requests: the requests of agents for access to a tool, open ones first.
export const GET = adminRoute(ACCESS_OPERATIONS.list_access_requests, async ({ query }) => {
  await expireRequests(new Date());
  return listRequests(query, { kind: "access" });
});
