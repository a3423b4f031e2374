import { adminRoute } from "@/app/api/admin/admin-route";
import { REQUEST_OPERATIONS } from "@/lib/contracts/operations/request-operations";
import { bypassChange } from "@/lib/store/requests/bypass";
import { toRequestDetail } from "@/lib/store/requests/request-detail";

export const POST = adminRoute(REQUEST_OPERATIONS.bypass_request, async ({ caller, params: { id }, body, requestId }) =>
  toRequestDetail(await bypassChange(id, body, { ...caller, requestId }, new Date()), caller),
);
