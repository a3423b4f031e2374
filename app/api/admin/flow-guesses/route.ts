import { adminRoute } from "@/app/api/admin/admin-route";
import { FLOW_OPERATIONS } from "@/lib/contracts/operations/flow-operations";
import { listFlowGuesses } from "@/lib/admin/flow/guesses";

export const GET = adminRoute(FLOW_OPERATIONS.list_flow_guesses, async ({ query }) => listFlowGuesses(query));
