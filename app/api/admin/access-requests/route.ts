import { adminRoute } from "@/app/api/admin/admin-route";
import { ACCESS_OPERATIONS } from "@/lib/contracts/operations/access-operations";
import { expireRequests, listRequests } from "@/lib/store/requests/requests";

export const GET = adminRoute(ACCESS_OPERATIONS.list_access_requests, async ({ query }) => {
  await expireRequests(new Date());
  return listRequests(query, { kind: "access" });
});
