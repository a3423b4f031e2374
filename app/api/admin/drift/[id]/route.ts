import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { toolInPath } from "@/lib/resources/parts/name";
import { getDrift } from "@/lib/sources/drift/drift";

// GET /api/admin/drift/{id}: one tool with both definitions.
export const GET = route({
  authenticate: user("configuration:read"),
  params: toolInPath,
  respond: async ({ params }) => getDrift(params.id),
});
