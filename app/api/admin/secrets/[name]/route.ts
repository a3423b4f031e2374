import { z } from "zod";
import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { slug } from "@/lib/resources/parts/name";
import { secretInput } from "@/lib/resources/secret";
import { deleteSecret, getSecret, setSecret } from "@/lib/store/config/secrets";

const params = z.object({ name: slug });

// GET /api/admin/secrets/{name}: what is told of it, never its value.
export const GET = route({
  authenticate: user("configuration:read"),
  params,
  respond: async ({ params: { name } }) => getSecret(name),
});

// PUT /api/admin/secrets/{name}: sets it; calls use it from the next one on.
export const PUT = route({
  authenticate: user("secrets:write"),
  params,
  body: secretInput,
  respond: async ({ caller, params: { name }, body }) => setSecret(caller.actor, name, body),
});

// DELETE /api/admin/secrets/{name}: unless a source names it.
export const DELETE = route({
  authenticate: user("secrets:write"),
  params,
  respond: async ({ caller, params: { name } }) => deleteSecret(caller.actor, name),
});
