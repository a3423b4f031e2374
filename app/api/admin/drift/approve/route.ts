import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { driftDecisions } from "@/lib/contracts/sources/drift";
import { approveDrift } from "@/lib/sources/drift/decide-drift";

// POST /api/admin/drift/approve: several at once, all or none, in one revision.
export const POST = route({
  authenticate: user("configuration:write"),
  body: driftDecisions,
  respond: async ({ caller, body }) => approveDrift(caller.actor, body.items),
});
