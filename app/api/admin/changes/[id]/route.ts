import { adminRoute } from "@/app/api/admin/admin-route";
import { CONFIGURATION_OPERATIONS } from "@/lib/contracts/operations/configuration-operations";
import { getChange } from "@/lib/store/save/changes";

export const GET = adminRoute(CONFIGURATION_OPERATIONS.read_change, async ({ caller, params }) =>
  getChange(params.id, caller.role),
);
