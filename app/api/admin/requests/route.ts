import { adminRoute } from "@/app/api/admin/admin-route";
import { REQUEST_OPERATIONS } from "@/lib/contracts/operations/request-operations";
import { visibleRow } from "@/lib/store/requests/request-detail";
import { listRequests } from "@/lib/store/requests/requests";

// GET /api/admin/requests: a page, open requests first.
export const GET = adminRoute(REQUEST_OPERATIONS.list_requests, async ({ caller, query }) => {
  const page = await listRequests(query);
  return { ...page, items: page.items.map((row) => visibleRow(row, caller.role)) };
});
