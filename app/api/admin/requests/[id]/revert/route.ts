import { adminRoute } from "@/app/api/admin/admin-route";
import { REQUEST_OPERATIONS } from "@/lib/contracts/operations/request-operations";
import { revertBypass } from "@/lib/store/requests/end-bypass";
import { toRequestDetail } from "@/lib/store/requests/request-detail";

export const POST = adminRoute(REQUEST_OPERATIONS.revert_request, async ({ caller, params: { id }, body, requestId }) =>
  toRequestDetail(await revertBypass(id, body.reason, { ...caller, requestId }, new Date()), caller),
);
