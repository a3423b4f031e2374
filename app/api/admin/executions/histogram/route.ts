import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { executionFilters } from "@/lib/contracts/log/execution";
import { histogramOf } from "@/lib/store/log/execution-histogram";

// GET /api/admin/executions/histogram: the log's outcomes over time, under the filters of its list.
export const GET = route({
  authenticate: user("executions:read"),
  query: executionFilters,
  respond: async ({ query }) => histogramOf(query, Date.now()),
});
