import { adminRoute } from "@/app/api/admin/admin-route";
import { listGroupSizes } from "@/lib/admin/group-sizes";
import { PREVIEW_OPERATIONS } from "@/lib/contracts/operations/preview-operations";
import { runInTurns } from "@/lib/store/db/in-turns";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";

export const GET = adminRoute(PREVIEW_OPERATIONS.list_group_sizes, async ({ request }) => {
  const { index } = await currentSnapshot();
  return runInTurns(listGroupSizes(index), Number.POSITIVE_INFINITY, request.signal);
});
