import { adminRoute } from "@/app/api/admin/admin-route";
import { DRIFT_OPERATIONS } from "@/lib/contracts/operations/drift-operations";
import { approveOne } from "@/lib/sources/drift/decide-drift";

export const POST = adminRoute(DRIFT_OPERATIONS.approve_drift, async ({ caller, params: { id }, body: { hash } }) =>
  approveOne(caller.actor, { id, hash }),
);
