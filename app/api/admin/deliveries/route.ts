import { adminRoute } from "@/app/api/admin/admin-route";
import { EVENT_OPERATIONS } from "@/lib/contracts/operations/event-operations";
import { listDeliveries } from "@/lib/store/events/deliveries";

export const GET = adminRoute(EVENT_OPERATIONS.list_deliveries, async ({ query }) => listDeliveries(query));
