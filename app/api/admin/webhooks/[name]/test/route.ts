import { adminRoute } from "@/app/api/admin/admin-route";
import { EVENT_OPERATIONS } from "@/lib/contracts/operations/event-operations";
import { sendTest } from "@/lib/store/events/deliveries";

// POST /api/admin/webhooks/{name}/test: a message of the type `webhook.test`, delivered like any other.
export const POST = adminRoute(EVENT_OPERATIONS.test_webhook, async ({ params }) => sendTest(params.name));
