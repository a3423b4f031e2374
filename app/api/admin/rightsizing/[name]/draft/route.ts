import { adminRoute } from "@/app/api/admin/admin-route";
import { draftCandidate } from "@/lib/admin/rightsizing/detail";
import { RIGHTSIZING_OPERATIONS } from "@/lib/contracts/operations/rightsizing-operations";

export const POST = adminRoute(RIGHTSIZING_OPERATIONS.draft_rightsizing, async ({ params, body }) =>
  draftCandidate(params.name, body),
);
