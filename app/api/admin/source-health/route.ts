import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { listTrippedBreakers } from "@/lib/store/calls/breakers";
import { listSourceHealth } from "@/lib/store/sources/source-syncs";

// GET /api/admin/source-health: how the syncs of every imported source go, and to which sources calls are refused.
export const GET = route({
  authenticate: user("configuration:read"),
  respond: async () => ({ items: await listSourceHealth(new Date()), breakers: await listTrippedBreakers() }),
});
