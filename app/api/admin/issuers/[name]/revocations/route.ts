import { z } from "zod";
import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { slug } from "@/lib/resources/parts/name";
import { revocationInput, revocationTarget } from "@/lib/contracts/people/revocation";
import { liftRevocation, listRevocations, revokeToken } from "@/lib/store/keys/revocations";

const params = z.object({ name: slug });

// GET /api/admin/issuers/{name}/revocations: the issuer's tokens that are not accepted any more.
export const GET = route({
  authenticate: user("configuration:read"),
  params,
  respond: async ({ params: { name } }) => ({ items: await listRevocations(name) }),
});

// POST /api/admin/issuers/{name}/revocations: revokes one token by its `jti`.
export const POST = route({
  authenticate: user("issuers:write"),
  params,
  body: revocationInput,
  respond: async ({ caller, params: { name }, body }) =>
    Response.json(await revokeToken(caller.actor, name, body), { status: 201 }),
});

// DELETE /api/admin/issuers/{name}/revocations?jti=…: accepts the token again.
export const DELETE = route({
  authenticate: user("issuers:write"),
  params,
  query: revocationTarget,
  respond: async ({ caller, params: { name }, query }) => liftRevocation(caller.actor, name, query.jti),
});
