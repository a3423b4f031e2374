import { adminRoute } from "@/app/api/admin/admin-route";
import { listRightsizing } from "@/lib/admin/rightsizing/overview";
import { RIGHTSIZING_OPERATIONS } from "@/lib/contracts/operations/rightsizing-operations";

export const GET = adminRoute(RIGHTSIZING_OPERATIONS.list_rightsizing, async ({ query }) => listRightsizing(query));
