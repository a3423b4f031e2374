import { adminRoute } from "@/app/api/admin/admin-route";
import { DRIFT_OPERATIONS } from "@/lib/contracts/operations/drift-operations";
import { listTrippedBreakers } from "@/lib/store/calls/breakers";
import { listSourceHealth } from "@/lib/store/sources/source-syncs";

export const GET = adminRoute(DRIFT_OPERATIONS.list_source_health, async () => ({
  items: await listSourceHealth(new Date()),
  breakers: await listTrippedBreakers(),
}));
