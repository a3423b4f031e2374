import { adminRoute } from "@/app/api/admin/admin-route";
import { answerCallers } from "@/app/api/admin/preview/callers/answer-callers";
import { admitGuesses, GUESSES_PER_NAMED_CALLERS } from "@/lib/auth/people/guesses";
import { PREVIEW_OPERATIONS } from "@/lib/contracts/operations/preview-operations";

export const POST = adminRoute(PREVIEW_OPERATIONS.list_callers, async ({ body, caller }) => {
  await admitGuesses(caller, GUESSES_PER_NAMED_CALLERS);
  return answerCallers(body, Date.now());
});
