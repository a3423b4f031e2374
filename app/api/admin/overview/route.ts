import { adminRoute } from "@/app/api/admin/admin-route";
import { loadOverview } from "@/lib/admin/overview";
import { LOG_OPERATIONS } from "@/lib/contracts/operations/log-operations";

export const GET = adminRoute(LOG_OPERATIONS.read_overview, async ({ query }) => loadOverview(query, Date.now()));
