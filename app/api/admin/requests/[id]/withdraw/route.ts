import { adminRoute } from "@/app/api/admin/admin-route";
import { REQUEST_OPERATIONS } from "@/lib/contracts/operations/request-operations";
import { withdrawChange } from "@/lib/store/requests/answer-change";
import { toRequestDetail } from "@/lib/store/requests/request-detail";

export const POST = adminRoute(
  REQUEST_OPERATIONS.withdraw_request,
  async ({ caller, params: { id }, body: { reason }, requestId }) =>
    toRequestDetail(await withdrawChange(id, reason, { ...caller, requestId }), caller),
);
