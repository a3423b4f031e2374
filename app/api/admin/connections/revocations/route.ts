import { adminRoute } from "@/app/api/admin/admin-route";
import { ownIssuerAddress } from "@/lib/auth/agents/own-issuer";
import { CLIENT_OPERATIONS } from "@/lib/contracts/operations/client-operations";
import { liftRevocation, listRevocations, revokeToken } from "@/lib/store/keys/revocations";

const ours = () => ({ iss: ownIssuerAddress() });

// GET /api/admin/connections/revocations: our own revoked access tokens.
export const GET = adminRoute(CLIENT_OPERATIONS.list_connection_revocations, async () => ({
  items: await listRevocations(ours()),
}));

// POST /api/admin/connections/revocations: revokes one access token of ours by its `jti`.
export const POST = adminRoute(CLIENT_OPERATIONS.revoke_connection_token, async ({ caller, body }) =>
  revokeToken(caller.actor, ours(), body),
);

// DELETE /api/admin/connections/revocations?jti=…: accepts the token again.
export const DELETE = adminRoute(CLIENT_OPERATIONS.lift_connection_revocation, async ({ caller, query }) =>
  liftRevocation(caller.actor, ours(), query.jti),
);
