import { adminRoute } from "@/app/api/admin/admin-route";
import { listToolGroups } from "@/lib/admin/tool-groups";
import { PREVIEW_OPERATIONS } from "@/lib/contracts/operations/preview-operations";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";

export const GET = adminRoute(PREVIEW_OPERATIONS.list_groups_of_tool, async ({ params: { id } }) =>
  listToolGroups((await currentSnapshot()).index, id),
);
