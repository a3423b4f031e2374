import { exportRoute } from "@/app/api/admin/exports/export-route";
import { EXPORTED_LISTS } from "@/lib/contracts/changes/exported-lists";
import { expireApprovals, listApprovals } from "@/lib/store/calls/approvals";

// GET /api/admin/exports/approvals: the calls that wait for a person, and those that were answered.
export const GET = exportRoute("approvals", EXPORTED_LISTS.approvals, async (query) => {
  if (query.cursor === undefined) await expireApprovals(new Date());
  return listApprovals(query);
});
