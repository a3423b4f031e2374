import { adminRoute } from "@/app/api/admin/admin-route";
import { LABEL_OPERATIONS } from "@/lib/contracts/operations/label-operations";
import { listHolders } from "@/lib/store/labels/holders";

export const GET = adminRoute(LABEL_OPERATIONS.list_label_holders, async ({ params: { name }, caller }) =>
  listHolders(name, caller.actor),
);
