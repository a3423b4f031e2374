import { z } from "zod";
import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { slug } from "@/lib/resources/parts/name";
import { sendTest } from "@/lib/store/events/deliveries";

// POST /api/admin/webhooks/{name}/test: a message of the type `webhook.test`, delivered like any other.
export const POST = route({
  authenticate: user("settings:write"),
  params: z.object({ name: slug }),
  respond: async ({ params }) => Response.json(await sendTest(params.name), { status: 202 }),
});
