import { adminRoute } from "@/app/api/admin/admin-route";
import { listClaimPaths } from "@/lib/admin/recent-callers";
import { PREVIEW_OPERATIONS } from "@/lib/contracts/operations/preview-operations";
import { can } from "@/lib/resources/permissions";

export const GET = adminRoute(PREVIEW_OPERATIONS.list_claim_paths, async ({ caller }) =>
  listClaimPaths({ coarse: !can(caller.role, "executions:bodies") }),
);
