import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { listSourceHealth } from "@/lib/store/source-syncs";

// GET /api/admin/source-health: how the syncs of every imported source go.
export const GET = route({
  authenticate: user("configuration:read"),
  respond: async () => ({ items: await listSourceHealth(new Date()) }),
});
