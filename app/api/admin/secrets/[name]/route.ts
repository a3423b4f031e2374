import { z } from "zod";
import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { slug } from "@/lib/resources/name";
import { secretInput } from "@/lib/resources/secret";
import { deleteSecret, setSecret } from "@/lib/store/secrets";

const params = z.object({ name: slug });

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
