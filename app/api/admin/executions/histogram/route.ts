import { adminRoute } from "@/app/api/admin/admin-route";
import { LOG_OPERATIONS } from "@/lib/contracts/operations/log-operations";
import { histogramOf } from "@/lib/store/log/execution-histogram";

// GET /api/admin/executions/histogram: the log's outcomes over time, under the filters of its list.
export const GET = adminRoute(LOG_OPERATIONS.count_executions, async ({ query }) => histogramOf(query, Date.now()));
