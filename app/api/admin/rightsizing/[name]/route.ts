import { adminRoute } from "@/app/api/admin/admin-route";
import { readRightsizing } from "@/lib/admin/rightsizing/detail";
import { RIGHTSIZING_OPERATIONS } from "@/lib/contracts/operations/rightsizing-operations";

// GET /api/admin/rightsizing/{name}: its tools, and smaller grants with the calls that they keep.
export const GET = adminRoute(RIGHTSIZING_OPERATIONS.read_rightsizing, async ({ params, query }) =>
  readRightsizing(params.name, query.days),
);
