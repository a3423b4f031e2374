import { adminRoute } from "@/app/api/admin/admin-route";
import { removeConnection } from "@/lib/admin/connections";
import { IDENTITY_OPERATIONS } from "@/lib/contracts/operations/identity-operations";

export const DELETE = adminRoute(IDENTITY_OPERATIONS.end_connection, async ({ caller, params: { id } }) =>
  removeConnection(caller, id),
);
