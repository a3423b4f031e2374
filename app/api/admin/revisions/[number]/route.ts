import { adminRoute } from "@/app/api/admin/admin-route";
import { CONFIGURATION_OPERATIONS } from "@/lib/contracts/operations/configuration-operations";
import { getRevision } from "@/lib/store/save/revisions";

export const GET = adminRoute(CONFIGURATION_OPERATIONS.read_revision, async ({ caller, params }) =>
  getRevision(params.number, caller.role),
);
