import { adminRoute } from "@/app/api/admin/admin-route";
import { REQUEST_OPERATIONS } from "@/lib/contracts/operations/request-operations";
import { readRequest } from "@/lib/store/requests/request-detail";

export const GET = adminRoute(REQUEST_OPERATIONS.read_request, async ({ caller, params: { id } }) =>
  readRequest(id, caller),
);
