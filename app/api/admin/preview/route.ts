import { adminRoute } from "@/app/api/admin/admin-route";
import { answerPreview } from "@/app/api/admin/preview/answer-preview";
import { PREVIEW_OPERATIONS } from "@/lib/contracts/operations/preview-operations";

export const POST = adminRoute(PREVIEW_OPERATIONS.preview, async ({ body, caller, request, requestId }) =>
  answerPreview(body, caller, { requestId, signal: request.signal }),
);
