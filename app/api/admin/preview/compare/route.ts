import { adminRoute } from "@/app/api/admin/admin-route";
import { answerComparison } from "@/app/api/admin/preview/compare/answer-comparison";
import { PREVIEW_OPERATIONS } from "@/lib/contracts/operations/preview-operations";

export const POST = adminRoute(PREVIEW_OPERATIONS.compare_previews, async ({ body, caller, request, requestId }) =>
  answerComparison(body, caller, { requestId, signal: request.signal }),
);
