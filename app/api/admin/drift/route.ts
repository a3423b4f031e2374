import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { listQuery } from "@/lib/contracts/changes/list";
import { listDrift } from "@/lib/sources/drift/drift";

// GET /api/admin/drift: what sources say otherwise than the catalogue, newest first.
export const GET = route({
  authenticate: user("configuration:read"),
  query: listQuery,
  respond: async ({ query }) => listDrift(query),
});
