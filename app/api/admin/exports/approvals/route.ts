import { exportRoute } from "@/app/api/admin/exports/export-route";
import { expireApprovals, listApprovals } from "@/lib/store/calls/approvals";

export const GET = exportRoute("approvals", async (query) => {
  if (query.cursor === undefined) await expireApprovals(new Date());
  return listApprovals(query);
});
