import { z } from "zod";
import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { slug } from "@/lib/resources/parts/name";
import { driftQuery } from "@/lib/contracts/decisions/profile-drift";
import { listDrift } from "@/lib/admin/profile-drift";

// GET /api/admin/profiles/{name}/drift: tools that wait until their definition is accepted for the profile.
export const GET = route({
  authenticate: user("configuration:read"),
  params: z.object({ name: slug }),
  query: driftQuery,
  respond: async ({ params: { name }, query }) => listDrift(name, query),
});
