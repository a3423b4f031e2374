import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { denialQuery } from "@/lib/contracts/decisions/denial";
import { listDenials } from "@/lib/admin/denials";

// GET /api/admin/denials: refusals by caller, tool and rule, the latest first.
export const GET = route({
  authenticate: user("executions:read"),
  query: denialQuery,
  respond: async ({ query }) => listDenials(query, Date.now()),
});
