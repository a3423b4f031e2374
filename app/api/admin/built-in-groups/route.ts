import { adminRoute } from "@/app/api/admin/admin-route";
import { listBuiltInGroups } from "@/lib/config/built-in-groups";
import { PREVIEW_OPERATIONS } from "@/lib/contracts/operations/preview-operations";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";

export const GET = adminRoute(PREVIEW_OPERATIONS.list_built_in_groups, async () =>
  listBuiltInGroups((await currentSnapshot()).index),
);
