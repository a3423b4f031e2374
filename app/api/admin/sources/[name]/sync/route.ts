import { z } from "zod";
import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { slug } from "@/lib/resources/parts/name";
import { startSync } from "@/lib/sources/sync";

// POST /api/admin/sources/{name}/sync: reads the source again; what it finds waits for review.
export const POST = route({
  authenticate: user("configuration:write"),
  params: z.object({ name: slug }),
  respond: async ({ caller, params: { name } }) =>
    Response.json({ id: await startSync(caller.actor, name) }, { status: 202 }),
});
