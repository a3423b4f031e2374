import { adminRoute } from "@/app/api/admin/admin-route";
import { REQUEST_OPERATIONS } from "@/lib/contracts/operations/request-operations";
import { approveChange } from "@/lib/store/requests/answer-change";
import { toRequestDetail } from "@/lib/store/requests/request-detail";

export const POST = adminRoute(
  REQUEST_OPERATIONS.approve_request,
  async ({ caller, params: { id }, body, requestId }) =>
    toRequestDetail(await approveChange(id, body, { ...caller, requestId }), caller),
);
