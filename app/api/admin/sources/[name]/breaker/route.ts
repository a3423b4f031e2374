import { adminRoute } from "@/app/api/admin/admin-route";
import { CONFIGURATION_OPERATIONS } from "@/lib/contracts/operations/configuration-operations";
import { readBreaker } from "@/lib/store/calls/breakers";

// GET /api/admin/sources/{name}/breaker: the state of the source's circuit breaker in every process.
export const GET = adminRoute(CONFIGURATION_OPERATIONS.read_breaker, async ({ params: { name } }) => readBreaker(name));
