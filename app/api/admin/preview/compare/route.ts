import { answerComparison } from "@/app/api/admin/preview/compare/answer-comparison";
import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { DRAFT_BOUNDS } from "@/lib/contracts/changes/document-limits";
import { comparisonInput } from "@/lib/contracts/decisions/comparison";

// POST /api/admin/preview/compare: what one preview shows that another does not, and why.
export const POST = route({
  authenticate: user("configuration:read"),
  body: comparisonInput,
  bounds: DRAFT_BOUNDS,
  respond: async ({ body, caller, request, requestId }) =>
    answerComparison(body, caller, { requestId, signal: request.signal }),
});
