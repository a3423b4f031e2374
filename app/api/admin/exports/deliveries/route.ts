import { exportRoute } from "@/app/api/admin/exports/export-route";
import { listDeliveries } from "@/lib/store/events/deliveries";

// GET /api/admin/exports/deliveries: the deliveries to webhooks and callbacks.
export const GET = exportRoute("deliveries", (query) => listDeliveries(query));
