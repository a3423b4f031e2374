import { adminRoute } from "@/app/api/admin/admin-route";
import { CONFIGURATION_OPERATIONS } from "@/lib/contracts/operations/configuration-operations";
import { resetBreaker } from "@/lib/store/calls/breakers";

// POST /api/admin/sources/{name}/breaker/reset: allows calls to the source again at once, in every process.
export const POST = adminRoute(
  CONFIGURATION_OPERATIONS.reset_breaker,
  async ({ caller, params: { name }, requestId }) => resetBreaker(caller.actor, name, requestId),
);
