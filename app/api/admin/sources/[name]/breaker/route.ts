import { adminRoute } from "@/app/api/admin/admin-route";
import { CONFIGURATION_OPERATIONS } from "@/lib/contracts/operations/configuration-operations";
import { readBreaker } from "@/lib/store/calls/breakers";

export const GET = adminRoute(CONFIGURATION_OPERATIONS.read_breaker, async ({ params: { name } }) => readBreaker(name));
