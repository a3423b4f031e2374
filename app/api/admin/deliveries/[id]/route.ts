import { adminRoute } from "@/app/api/admin/admin-route";
import { EVENT_OPERATIONS } from "@/lib/contracts/operations/event-operations";
import { readDelivery } from "@/lib/store/events/deliveries";

export const GET = adminRoute(EVENT_OPERATIONS.read_delivery, async ({ params }) => readDelivery(params.id));
