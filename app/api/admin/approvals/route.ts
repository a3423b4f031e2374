import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { listQuery } from "@/lib/contracts/changes/list";
import { expireApprovals, listApprovals } from "@/lib/store/calls/approvals";

// GET /api/admin/approvals: the calls that wait for a person, then those that were answered.
export const GET = route({
  authenticate: user("executions:read"),
  query: listQuery,
  respond: async ({ query }) => {
    await expireApprovals(new Date());
    return listApprovals(query);
  },
});
