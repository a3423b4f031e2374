import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { profileQuery } from "@/lib/resources/profile";
import { listProfiles } from "@/lib/admin/profile-drift";

// GET /api/admin/profiles: the ceilings that the code defines, read-only, and how many tools wait in each.
export const GET = route({
  authenticate: user("configuration:read"),
  query: profileQuery,
  respond: async ({ query }) => listProfiles(query),
});
