import { adminRoute } from "@/app/api/admin/admin-route";
import { REQUEST_OPERATIONS } from "@/lib/contracts/operations/request-operations";
import type { ListQuery } from "@/lib/contracts/changes/list";
import { visibleRow } from "@/lib/store/requests/request-detail";
import { listRequests } from "@/lib/store/requests/requests";

export const GET = adminRoute(REQUEST_OPERATIONS.list_requests, async ({ caller, query }) => {
  const { asker, ...others } = query;
  const page = await (asker === "me"
    ? listRequests(others as ListQuery, caller.role, { personId: caller.userId ?? "" })
    : listRequests(query, caller.role));
  return { ...page, items: page.items.map((row) => visibleRow(row, caller.role)) };
});
