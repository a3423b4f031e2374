import { z } from "zod";
import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { redeliver } from "@/lib/store/events/deliveries";

// POST /api/admin/deliveries/{id}/redeliver: it is begun anew, under its old id.
export const POST = route({
  authenticate: user("settings:write"),
  params: z.object({ id: z.string().max(64) }),
  respond: async ({ params }) => Response.json(await redeliver(params.id), { status: 202 }),
});
