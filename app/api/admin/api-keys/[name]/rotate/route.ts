import { z } from "zod";
import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { apiKeyRotation } from "@/lib/resources/api-key";
import { slug } from "@/lib/resources/parts/name";
import { endOverlap, rotateApiKey } from "@/lib/store/config/api-keys";

const params = z.object({ name: slug });

// POST /api/admin/api-keys/{name}/rotate: a new key, answered this once; the old one works until the overlap ends.
export const POST = route({
  authenticate: user("keys:write"),
  params,
  body: apiKeyRotation,
  respond: async ({ caller, params: { name }, body }) =>
    Response.json(await rotateApiKey(caller.actor, name, body), { status: 201 }),
});

// DELETE /api/admin/api-keys/{name}/rotate: the old key is refused from the next request on.
export const DELETE = route({
  authenticate: user("keys:write"),
  params,
  respond: async ({ caller, params: { name } }) => endOverlap(caller.actor, name),
});
