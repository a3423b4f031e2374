import { adminRoute } from "@/app/api/admin/admin-route";
import { DRIFT_OPERATIONS } from "@/lib/contracts/operations/drift-operations";
import { approveDrift } from "@/lib/sources/drift/decide-drift";

export const POST = adminRoute(DRIFT_OPERATIONS.approve_drift_items, async ({ caller, body }) =>
  approveDrift(caller.actor, body.items),
);
