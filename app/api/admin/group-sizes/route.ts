import { adminRoute } from "@/app/api/admin/admin-route";
import { listGroupSizes } from "@/lib/admin/group-sizes";
import { PREVIEW_OPERATIONS } from "@/lib/contracts/operations/preview-operations";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";

export const GET = adminRoute(PREVIEW_OPERATIONS.list_group_sizes, async () =>
  listGroupSizes((await currentSnapshot()).index),
);
