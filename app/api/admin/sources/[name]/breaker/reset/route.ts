import { z } from "zod";
import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { slug } from "@/lib/resources/parts/name";
import { resetBreaker } from "@/lib/store/calls/breakers";

// POST /api/admin/sources/{name}/breaker/reset: calls go to the source again at once, in every process.
export const POST = route({
  authenticate: user("configuration:write"),
  params: z.object({ name: slug }),
  respond: async ({ caller, params: { name }, requestId }) => resetBreaker(caller.actor, name, requestId),
});
