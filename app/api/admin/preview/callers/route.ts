import { adminRoute } from "@/app/api/admin/admin-route";
import { answerCallers } from "@/app/api/admin/preview/callers/answer-callers";
import { PREVIEW_OPERATIONS } from "@/lib/contracts/operations/preview-operations";

// POST /api/admin/preview/callers: who can see a tool, a group or what a policy gives, and why.
export const POST = adminRoute(PREVIEW_OPERATIONS.list_callers, async ({ body }) => answerCallers(body, Date.now()));
