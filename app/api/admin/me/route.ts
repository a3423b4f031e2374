import { adminRoute } from "@/app/api/admin/admin-route";
import { IDENTITY_OPERATIONS } from "@/lib/contracts/operations/identity-operations";
import { permissionsOf } from "@/lib/resources/permissions";
import { isRecentSignIn } from "@/lib/store/requests/bypass";

export const GET = adminRoute(
  IDENTITY_OPERATIONS.read_me,
  async ({ caller: { actor, role, userName, signedInAt } }) => ({
    kind: actor.kind,
    name: actor.name,
    userName,
    role,
    permissions: permissionsOf(role),
    signedInRecently: isRecentSignIn(signedInAt, new Date()),
  }),
);
