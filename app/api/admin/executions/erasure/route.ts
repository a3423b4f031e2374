import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { erasureInput, erasureQuery } from "@/lib/contracts/log/erasure";
import { countBodies, eraseBodies } from "@/lib/store/audit/erasures";

// POST /api/admin/executions/erasure: erases what a caller's calls said; `?dryRun=true` counts it, and erases nothing.
export const POST = route({
  authenticate: user("retention:write"),
  query: erasureQuery,
  body: erasureInput,
  respond: async ({ caller, query, body, requestId }) =>
    query.dryRun ? countBodies(body) : eraseBodies({ actor: caller.actor, requestId }, body),
});
