import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { driftDecision } from "@/lib/contracts/sources/drift";
import { toolInPath } from "@/lib/resources/parts/name";
import { approveOne } from "@/lib/sources/drift/decide-drift";

// POST /api/admin/drift/{id}/approve: takes the new definition over, if it still is the one that was looked at.
export const POST = route({
  authenticate: user("configuration:write"),
  params: toolInPath,
  body: driftDecision,
  respond: async ({ caller, params: { id }, body: { hash } }) => approveOne(caller.actor, { id, hash }),
});
