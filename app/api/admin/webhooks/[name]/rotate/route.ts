import { z } from "zod";
import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { slug } from "@/lib/resources/parts/name";
import { rotateWebhook } from "@/lib/store/config/webhooks";

// POST /api/admin/webhooks/{name}/rotate: a new secret, answered this once; the old one signs as well for a day.
export const POST = route({
  authenticate: user("settings:write"),
  params: z.object({ name: slug }),
  respond: async ({ caller, params }) => Response.json(await rotateWebhook(caller.actor, params.name), { status: 201 }),
});
