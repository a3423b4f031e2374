import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { driftDecision } from "@/lib/contracts/sources/drift";
import { toolInPath } from "@/lib/resources/parts/name";
import { rejectOne } from "@/lib/sources/drift/decide-drift";

// POST /api/admin/drift/{id}/reject: keeps the tool in quarantine, or an operation out of the catalogue.
export const POST = route({
  authenticate: user("configuration:write"),
  params: toolInPath,
  body: driftDecision,
  respond: async ({ caller, params: { id }, body: { hash } }) => rejectOne(caller.actor, { id, hash }),
});
