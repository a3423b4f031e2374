import { adminRoute } from "@/app/api/admin/admin-route";
import { LOG_OPERATIONS } from "@/lib/contracts/operations/log-operations";
import { histogramOf } from "@/lib/store/log/execution-histogram";

export const GET = adminRoute(LOG_OPERATIONS.count_executions, async ({ query }) => histogramOf(query, Date.now()));
