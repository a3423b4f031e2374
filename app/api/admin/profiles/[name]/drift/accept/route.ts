import { z } from "zod";
import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { slug } from "@/lib/resources/parts/name";
import { driftAcceptInput } from "@/lib/contracts/decisions/profile-drift";
import { acceptDrift } from "@/lib/admin/profile-drift";

// POST /api/admin/profiles/{name}/drift/accept: shows the named definitions to the profile from now on.
export const POST = route({
  authenticate: user("profile-drift:accept"),
  params: z.object({ name: slug }),
  body: driftAcceptInput,
  respond: async ({ caller, params: { name }, body }) => acceptDrift(caller.actor, name, body),
});
