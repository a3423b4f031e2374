import { adminRoute } from "@/app/api/admin/admin-route";
import { restoreRevision } from "@/lib/admin/revision-diff";
import { CONFIGURATION_OPERATIONS } from "@/lib/contracts/operations/configuration-operations";

export const POST = adminRoute(CONFIGURATION_OPERATIONS.restore_revision, async ({ caller, params, ifMatch }) =>
  restoreRevision(caller.actor, params.number, ifMatch()),
);
