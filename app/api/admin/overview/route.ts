import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { overviewQuery } from "@/lib/contracts/changes/overview";
import { loadOverview } from "@/lib/admin/overview";

// GET /api/admin/overview: how many calls, how they ended, how long they took, what refused them.
export const GET = route({
  authenticate: user("executions:read"),
  query: overviewQuery,
  respond: async ({ query }) => loadOverview(query, Date.now()),
});
