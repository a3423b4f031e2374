import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { changeQuery } from "@/lib/contracts/changes/change";
import { listChanges } from "@/lib/store/save/changes";

// GET /api/admin/changes: who changed what, before and after, newest first.
export const GET = route({
  authenticate: user("configuration:read"),
  query: changeQuery,
  respond: async ({ caller, query }) => listChanges(query, caller.role),
});
