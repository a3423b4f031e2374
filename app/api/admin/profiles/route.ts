import { profiles } from "@/lib/access/profiles";
import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";

// GET /api/admin/profiles: the ceilings that the code defines; read-only.
export const GET = route({
  authenticate: user("configuration:read"),
  respond: async () => ({ items: [...profiles.values()], nextCursor: null, total: profiles.size }),
});
