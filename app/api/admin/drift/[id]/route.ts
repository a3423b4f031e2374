import { adminRoute } from "@/app/api/admin/admin-route";
import { DRIFT_OPERATIONS } from "@/lib/contracts/operations/drift-operations";
import { getDrift } from "@/lib/sources/drift/drift";

export const GET = adminRoute(DRIFT_OPERATIONS.read_drift, async ({ params }) => getDrift(params.id));
