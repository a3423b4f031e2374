import { adminRoute } from "@/app/api/admin/admin-route";
import { EVENT_OPERATIONS } from "@/lib/contracts/operations/event-operations";
import { redeliver } from "@/lib/store/events/deliveries";

export const POST = adminRoute(EVENT_OPERATIONS.redeliver, async ({ params }) => redeliver(params.id));
