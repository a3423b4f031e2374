import { adminRoute } from "@/app/api/admin/admin-route";
import { readFlowImpact } from "@/lib/admin/flow/impact";
import { FLOW_OPERATIONS } from "@/lib/contracts/operations/flow-operations";

// POST /api/admin/flow-impact: what an unsaved flow rule, label, tool, guess or answer to guesses would do to logged calls.
// Saves nothing.
export const POST = adminRoute(FLOW_OPERATIONS.measure_flow_impact, async ({ body }) => readFlowImpact(body));
