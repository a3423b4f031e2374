import { adminRoute } from "@/app/api/admin/admin-route";
import { listRightsizing } from "@/lib/admin/rightsizing/overview";
import { RIGHTSIZING_OPERATIONS } from "@/lib/contracts/operations/rightsizing-operations";

// GET /api/admin/rightsizing: allow policies by the unused tools that they grant.
export const GET = adminRoute(RIGHTSIZING_OPERATIONS.list_rightsizing, async ({ query }) => listRightsizing(query));
