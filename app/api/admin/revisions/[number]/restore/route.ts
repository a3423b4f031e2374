import { adminRoute } from "@/app/api/admin/admin-route";
import { restoreRevision } from "@/lib/admin/revision-diff";
import { CONFIGURATION_OPERATIONS } from "@/lib/contracts/operations/configuration-operations";

// POST /api/admin/revisions/{n}/restore: restores a revision's configuration as a new revision. Changes of issuers or
// settings need their permissions too. With `If-Match`, a change in between is a 409.
export const POST = adminRoute(CONFIGURATION_OPERATIONS.restore_revision, async ({ caller, params, ifMatch }) => {
  const ifRevision = ifMatch();
  return restoreRevision(caller.actor, params.number, ifRevision === undefined ? {} : { ifRevision });
});
