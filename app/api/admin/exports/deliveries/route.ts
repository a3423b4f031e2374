import { exportRoute } from "@/app/api/admin/exports/export-route";
import { EXPORTED_LISTS } from "@/lib/contracts/changes/exported-lists";
import { listDeliveries } from "@/lib/store/events/deliveries";

// GET /api/admin/exports/deliveries: what was sent to webhooks and callbacks.
export const GET = exportRoute("deliveries", EXPORTED_LISTS.deliveries, (query) => listDeliveries(query));
