import { adminRoute } from "@/app/api/admin/admin-route";
import { IDENTITY_OPERATIONS } from "@/lib/contracts/operations/identity-operations";
import { liftRevocation, listRevocations, revokeToken } from "@/lib/store/keys/revocations";

export const GET = adminRoute(IDENTITY_OPERATIONS.list_revocations, async ({ params: { name } }) => ({
  items: await listRevocations(name),
}));

export const POST = adminRoute(IDENTITY_OPERATIONS.revoke_token, async ({ caller, params: { name }, body }) =>
  revokeToken(caller.actor, name, body),
);

export const DELETE = adminRoute(IDENTITY_OPERATIONS.lift_revocation, async ({ caller, params: { name }, query }) =>
  liftRevocation(caller.actor, name, query.jti),
);
