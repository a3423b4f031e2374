import { adminRoute } from "@/app/api/admin/admin-route";
import { CONFIGURATION_OPERATIONS } from "@/lib/contracts/operations/configuration-operations";
import { resetBreaker } from "@/lib/store/calls/breakers";

export const POST = adminRoute(
  CONFIGURATION_OPERATIONS.reset_breaker,
  async ({ caller, params: { name }, requestId }) => resetBreaker(caller.actor, name, requestId),
);
