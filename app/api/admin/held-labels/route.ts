import { adminRoute } from "@/app/api/admin/admin-route";
import { LABEL_OPERATIONS } from "@/lib/contracts/operations/label-operations";
import { listLabelsOf } from "@/lib/store/labels/holders";

export const GET = adminRoute(LABEL_OPERATIONS.list_held_labels, async ({ query, caller }) =>
  listLabelsOf(query, caller.actor),
);
