import { adminRoute } from "@/app/api/admin/admin-route";
import { LABEL_OPERATIONS } from "@/lib/contracts/operations/label-operations";
import { clearLabel } from "@/lib/store/labels/holders";

export const POST = adminRoute(LABEL_OPERATIONS.clear_label, async ({ caller, params: { name }, body, requestId }) =>
  clearLabel({ actor: caller.actor, requestId }, name, body),
);
