import { user } from "@/lib/auth/people/user";
import { groupMatches } from "@/lib/config/group-matches";
import { route } from "@/lib/http/route";
import { groupMatchesInput } from "@/lib/resources/group-matches";
import { currentSnapshot } from "@/lib/store/snapshot";

// POST /api/admin/groups/matches: the members of a draft, with the clause that caught each, and near misses.
export const POST = route({
  authenticate: user("configuration:read"),
  body: groupMatchesInput,
  respond: async ({ body }) => groupMatches((await currentSnapshot()).index, body),
});
