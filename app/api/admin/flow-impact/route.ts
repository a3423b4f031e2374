import { adminRoute } from "@/app/api/admin/admin-route";
import { readFlowImpact } from "@/lib/admin/flow/impact";
import { FLOW_OPERATIONS } from "@/lib/contracts/operations/flow-operations";

export const POST = adminRoute(FLOW_OPERATIONS.measure_flow_impact, async ({ body }) => readFlowImpact(body));
