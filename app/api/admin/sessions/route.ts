import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { listQuery } from "@/lib/contracts/changes/list";
import { listSessions } from "@/lib/store/calls/sessions-list";

// GET /api/admin/sessions: the sessions of all agents, last used first.
export const GET = route({
  authenticate: user("executions:read"),
  query: listQuery,
  respond: async ({ query }) => listSessions(query, new Date()),
});
