import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { listQuery } from "@/lib/contracts/changes/list";
import { listSecrets } from "@/lib/store/config/secrets";

// GET /api/admin/secrets: names, who uses them, when they were set and last used; never a value.
export const GET = route({
  authenticate: user("configuration:read"),
  query: listQuery,
  respond: async ({ query }) => listSecrets(query),
});
