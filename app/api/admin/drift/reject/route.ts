import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { driftDecisions } from "@/lib/contracts/sources/drift";
import { rejectDrift } from "@/lib/sources/drift/decide-drift";

// POST /api/admin/drift/reject: several at once, all or none, in one revision.
export const POST = route({
  authenticate: user("configuration:write"),
  body: driftDecisions,
  respond: async ({ caller, body }) => rejectDrift(caller.actor, body.items),
});
