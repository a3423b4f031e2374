import { adminRoute } from "@/app/api/admin/admin-route";
import { readConnections } from "@/lib/admin/connections";
import { IDENTITY_OPERATIONS } from "@/lib/contracts/operations/identity-operations";

export const GET = adminRoute(IDENTITY_OPERATIONS.list_connections, async ({ caller, query }) =>
  readConnections(caller, query),
);
