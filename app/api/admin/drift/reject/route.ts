import { adminRoute } from "@/app/api/admin/admin-route";
import { DRIFT_OPERATIONS } from "@/lib/contracts/operations/drift-operations";
import { rejectDrift } from "@/lib/sources/drift/decide-drift";

export const POST = adminRoute(DRIFT_OPERATIONS.reject_drift_items, async ({ caller, body }) =>
  rejectDrift(caller.actor, body.items),
);
