import { z } from "zod";
import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { readDelivery } from "@/lib/store/events/deliveries";

// GET /api/admin/deliveries/{id}: one of them with its tries.
export const GET = route({
  authenticate: user("configuration:read"),
  params: z.object({ id: z.string().max(64) }),
  respond: async ({ params }) => readDelivery(params.id),
});
