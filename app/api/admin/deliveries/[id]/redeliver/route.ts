import { adminRoute } from "@/app/api/admin/admin-route";
import { EVENT_OPERATIONS } from "@/lib/contracts/operations/event-operations";
import { redeliver } from "@/lib/store/events/deliveries";

// POST /api/admin/deliveries/{id}/redeliver: starts the delivery again under the same id.
export const POST = adminRoute(EVENT_OPERATIONS.redeliver, async ({ params }) => redeliver(params.id));
