import { z } from "zod";
import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { slug } from "@/lib/resources/parts/name";
import { readBreaker } from "@/lib/store/calls/breakers";

// GET /api/admin/sources/{name}/breaker: how the source's circuit breaker stands in every process.
export const GET = route({
  authenticate: user("configuration:read"),
  params: z.object({ name: slug }),
  respond: async ({ params: { name } }) => readBreaker(name),
});
