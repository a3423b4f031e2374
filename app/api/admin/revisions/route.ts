import { adminRoute } from "@/app/api/admin/admin-route";
import { CONFIGURATION_OPERATIONS } from "@/lib/contracts/operations/configuration-operations";
import { listRevisions } from "@/lib/store/save/revisions";

export const GET = adminRoute(CONFIGURATION_OPERATIONS.list_revisions, async ({ caller, query }) =>
  listRevisions(query, caller.role),
);
