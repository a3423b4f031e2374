import { adminRoute } from "@/app/api/admin/admin-route";
import { REQUEST_OPERATIONS } from "@/lib/contracts/operations/request-operations";
import { confirmBypass } from "@/lib/store/requests/end-bypass";
import { toRequestDetail } from "@/lib/store/requests/request-detail";

export const POST = adminRoute(
  REQUEST_OPERATIONS.confirm_request,
  async ({ caller, params: { id }, body, requestId }) =>
    toRequestDetail(await confirmBypass(id, body, { ...caller, requestId }, new Date()), caller),
);
