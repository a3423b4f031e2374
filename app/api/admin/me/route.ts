import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { permissionsOf } from "@/lib/resources/permissions";

// GET /api/admin/me: who is calling, and what this role may do.
export const GET = route({
  authenticate: user("configuration:read"),
  respond: async ({ caller: { actor, role, userName } }) => ({
    kind: actor.kind,
    name: actor.name,
    userName,
    role,
    permissions: permissionsOf(role),
  }),
});
