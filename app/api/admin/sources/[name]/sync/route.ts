import { adminRoute } from "@/app/api/admin/admin-route";
import { DRIFT_OPERATIONS } from "@/lib/contracts/operations/drift-operations";
import { outbound } from "@/lib/outbound/fetch";
import { startSync } from "@/lib/sources/sync";

export const POST = adminRoute(DRIFT_OPERATIONS.sync_source, async ({ caller, params: { name } }) => ({
  id: await startSync(caller.actor, name, outbound, caller.userId),
}));
