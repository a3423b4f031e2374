import { adminRoute } from "@/app/api/admin/admin-route";
import { FLOW_OPERATIONS } from "@/lib/contracts/operations/flow-operations";
import { listFlowGuesses } from "@/lib/admin/flow/guesses";

// GET /api/admin/flow-guesses: the tools whose flow an import guessed, until a person answers the guess.
export const GET = adminRoute(FLOW_OPERATIONS.list_flow_guesses, async ({ query }) => listFlowGuesses(query));
