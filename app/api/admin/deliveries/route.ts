import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { listQuery } from "@/lib/contracts/changes/list";
import { listDeliveries } from "@/lib/store/events/deliveries";

// GET /api/admin/deliveries: what was sent to webhooks and callbacks, and what is under way.
export const GET = route({
  authenticate: user("configuration:read"),
  query: listQuery,
  respond: async ({ query }) => listDeliveries(query),
});
