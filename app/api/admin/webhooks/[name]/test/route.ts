import { adminRoute } from "@/app/api/admin/admin-route";
import { EVENT_OPERATIONS } from "@/lib/contracts/operations/event-operations";
import { sendTest } from "@/lib/store/events/deliveries";

export const POST = adminRoute(EVENT_OPERATIONS.test_webhook, async ({ params }) => sendTest(params.name));
