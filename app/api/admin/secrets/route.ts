import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { listSecrets } from "@/lib/store/secrets";

// GET /api/admin/secrets: names, who uses them, when they were set and last used; never a value.
export const GET = route({
  authenticate: user("configuration:read"),
  respond: async () => ({ items: await listSecrets() }),
});
