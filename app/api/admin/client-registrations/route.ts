import { adminRoute } from "@/app/api/admin/admin-route";
import { CLIENT_OPERATIONS } from "@/lib/contracts/operations/client-operations";
import { listRegistrations } from "@/lib/store/oauth/client-registrations";

export const GET = adminRoute(CLIENT_OPERATIONS.list_client_registrations, async ({ query }) =>
  listRegistrations(query),
);
