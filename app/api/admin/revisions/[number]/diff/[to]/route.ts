import { adminRoute } from "@/app/api/admin/admin-route";
import { diffRevisions } from "@/lib/admin/revision-diff";
import { CONFIGURATION_OPERATIONS } from "@/lib/contracts/operations/configuration-operations";

export const GET = adminRoute(CONFIGURATION_OPERATIONS.diff_revisions, async ({ caller, params }) =>
  diffRevisions(params.number, params.to, caller.role),
);
