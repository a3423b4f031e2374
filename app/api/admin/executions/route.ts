import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { executionQuery } from "@/lib/contracts/log/execution";
import { listExecutions } from "@/lib/store/log/executions";

// GET /api/admin/executions: the log without bodies, newest first.
export const GET = route({
  authenticate: user("executions:read"),
  query: executionQuery,
  respond: async ({ query }) => listExecutions(query),
});
