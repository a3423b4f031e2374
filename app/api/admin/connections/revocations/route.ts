import { adminRoute } from "@/app/api/admin/admin-route";
import { CLIENT_OPERATIONS } from "@/lib/contracts/operations/client-operations";
import { publicOrigin } from "@/lib/env";
import { liftRevocation, listRevocations, revokeToken } from "@/lib/store/keys/revocations";

const ownIssuer = () => ({ iss: publicOrigin() });

export const GET = adminRoute(CLIENT_OPERATIONS.list_connection_revocations, async () => ({
  items: await listRevocations(ownIssuer()),
}));

export const POST = adminRoute(CLIENT_OPERATIONS.revoke_connection_token, async ({ caller, body }) =>
  revokeToken(caller.actor, ownIssuer(), body),
);

export const DELETE = adminRoute(CLIENT_OPERATIONS.lift_connection_revocation, async ({ caller, query }) =>
  liftRevocation(caller.actor, ownIssuer(), query.jti),
);
