import { adminRoute } from "@/app/api/admin/admin-route";
import { EVENT_OPERATIONS } from "@/lib/contracts/operations/event-operations";
import { rotateWebhook } from "@/lib/store/config/webhooks";

export const POST = adminRoute(EVENT_OPERATIONS.rotate_webhook, async ({ caller, params }) =>
  rotateWebhook(caller.actor, params.name),
);
