import { adminRoute } from "@/app/api/admin/admin-route";
import { DRIFT_OPERATIONS } from "@/lib/contracts/operations/drift-operations";
import { rejectOne } from "@/lib/sources/drift/decide-drift";

export const POST = adminRoute(DRIFT_OPERATIONS.reject_drift, async ({ caller, params: { id }, body: { hash } }) =>
  rejectOne(caller.actor, { id, hash }),
);
