import { adminRoute } from "@/app/api/admin/admin-route";
import { CLIENT_OPERATIONS } from "@/lib/contracts/operations/client-operations";
import { removeRegistration } from "@/lib/store/oauth/client-registrations";

export const DELETE = adminRoute(CLIENT_OPERATIONS.remove_client_registration, async ({ caller, params: { id } }) =>
  removeRegistration(caller.actor, id),
);
