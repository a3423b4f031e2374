import { adminRoute } from "@/app/api/admin/admin-route";
import { LOG_OPERATIONS } from "@/lib/contracts/operations/log-operations";
import { listExecutions } from "@/lib/store/log/executions";

// GET /api/admin/executions: the log without bodies, newest first.
export const GET = adminRoute(LOG_OPERATIONS.list_executions, async ({ query }) => listExecutions(query));
