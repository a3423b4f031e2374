import { adminRoute } from "@/app/api/admin/admin-route";
import { EVENT_OPERATIONS } from "@/lib/contracts/operations/event-operations";
import { rotateWebhook } from "@/lib/store/config/webhooks";

// POST /api/admin/webhooks/{name}/rotate: only this answer has the new secret; the old one also signs for a day.
export const POST = adminRoute(EVENT_OPERATIONS.rotate_webhook, async ({ caller, params }) =>
  rotateWebhook(caller.actor, params.name),
);
