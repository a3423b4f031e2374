import { adminRoute } from "@/app/api/admin/admin-route";
import { DRIFT_OPERATIONS } from "@/lib/contracts/operations/drift-operations";
import { listDrift } from "@/lib/sources/drift/drift";

export const GET = adminRoute(DRIFT_OPERATIONS.list_drift, async ({ query }) => listDrift(query));
