import { adminRoute } from "@/app/api/admin/admin-route";
import { CONFIGURATION_OPERATIONS } from "@/lib/contracts/operations/configuration-operations";
import { listChanges } from "@/lib/store/save/changes";

export const GET = adminRoute(CONFIGURATION_OPERATIONS.list_changes, async ({ caller, query }) =>
  listChanges(query, caller.role),
);
