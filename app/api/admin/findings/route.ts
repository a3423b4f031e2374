import { adminRoute } from "@/app/api/admin/admin-route";
import { currentFindings } from "@/app/api/admin/findings/answer-findings";
import { PREVIEW_OPERATIONS } from "@/lib/contracts/operations/preview-operations";

export const GET = adminRoute(PREVIEW_OPERATIONS.list_findings, async ({ query }) => currentFindings(query));
