import { answerPreview } from "@/app/api/admin/preview/answer-preview";
import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { DRAFT_BOUNDS } from "@/lib/contracts/changes/document-limits";
import { previewInput } from "@/lib/contracts/decisions/preview";

// POST /api/admin/preview: which tools a caller has, and why.
export const POST = route({
  authenticate: user("configuration:read"),
  body: previewInput,
  bounds: DRAFT_BOUNDS,
  respond: async ({ body, caller, request, requestId }) =>
    answerPreview(body, caller, { requestId, signal: request.signal }),
});
