import { exportRoute } from "@/app/api/admin/exports/export-route";
import { listDeliveries } from "@/lib/store/events/deliveries";

export const GET = exportRoute("deliveries", (query) => listDeliveries(query));
