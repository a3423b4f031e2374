import { adminRoute } from "@/app/api/admin/admin-route";
import { REQUEST_OPERATIONS } from "@/lib/contracts/operations/request-operations";
import { refuseChange } from "@/lib/store/requests/answer-change";
import { toRequestDetail } from "@/lib/store/requests/request-detail";

// POST /api/admin/requests/{id}/refuse: the request ends, and nothing is saved.
export const POST = adminRoute(
  REQUEST_OPERATIONS.refuse_request,
  async ({ caller, params: { id }, body: { reason }, requestId }) =>
    toRequestDetail(await refuseChange(id, reason, { ...caller, requestId }), caller),
);
