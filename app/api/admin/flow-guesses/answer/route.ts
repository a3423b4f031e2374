import { adminRoute } from "@/app/api/admin/admin-route";
import { FLOW_OPERATIONS } from "@/lib/contracts/operations/flow-operations";
import { answerFlowGuesses } from "@/lib/admin/flow/guesses";

export const POST = adminRoute(FLOW_OPERATIONS.answer_flow_guesses, async ({ caller, body }) =>
  answerFlowGuesses(caller.actor, body),
);
