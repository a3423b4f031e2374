import { z } from "zod";
import type { Contracts } from "@/lib/contracts/operations/operation";
import { callbackKeySet } from "@/lib/contracts/agents/callback-keys";
import { deliveryDetail, deliveryPage } from "@/lib/contracts/agents/delivery";
import { listQuery } from "@/lib/contracts/changes/list";
import { slug } from "@/lib/resources/parts/name";
import { webhookCreated } from "@/lib/resources/webhook";

const params = z.object({ id: z.string().max(64) });
const webhook = z.object({ name: slug });

/**
 * Operations on webhooks besides the standard five, on deliveries and on callbacks
 * (docs/reference/execution.md#events).
 */
export const EVENT_OPERATIONS = {
  test_webhook: {
    method: "post",
    path: "/api/admin/webhooks/{name}/test",
    chapter: "webhooks",
    summary: "Send a test message",
    description: "Of the type `webhook.test`, signed and delivered like any other. Refused while the webhook is off.",
    who: "settings:write",
    params: webhook,
    answers: [{ status: 202, description: "The delivery.", schema: deliveryDetail }],
    errors: ["conflict"],
  },
  rotate_webhook: {
    method: "post",
    path: "/api/admin/webhooks/{name}/rotate",
    chapter: "webhooks",
    summary: "Replace a webhook's secret",
    description: "For a day messages are signed with both: `webhook-signature` holds the new one first.",
    who: "settings:write",
    params: webhook,
    answers: [{ status: 201, description: "The webhook and, this once, its secret.", schema: webhookCreated }],
  },
  list_deliveries: {
    method: "get",
    path: "/api/admin/deliveries",
    chapter: "webhooks",
    summary: "List what was sent to webhooks and callbacks",
    description: "Newest first, of the last 30 days. Filters: `status`, `webhook`, `type`, `call`; sort: `at`.",
    who: "configuration:read",
    query: listQuery,
    answers: [{ status: 200, description: "A page.", schema: deliveryPage }],
  },
  read_delivery: {
    method: "get",
    path: "/api/admin/deliveries/{id}",
    chapter: "webhooks",
    summary: "Read one of them with its tries",
    who: "configuration:read",
    params,
    answers: [{ status: 200, description: "What the receiver answered, the first kilobyte.", schema: deliveryDetail }],
  },
  redeliver: {
    method: "post",
    path: "/api/admin/deliveries/{id}/redeliver",
    chapter: "webhooks",
    summary: "Send it again, under its old id",
    description: "Refused while the webhook is off, and before the call of a callback has ended.",
    who: "settings:write",
    params,
    answers: [{ status: 202, description: "The delivery, pending.", schema: deliveryDetail }],
    errors: ["conflict"],
  },
  read_callback_keys: {
    method: "get",
    path: "/api/jwks.json",
    chapter: "webhooks",
    summary: "Read the keys that callbacks are verified with",
    description:
      "A JWK set of Ed25519 keys. A callback's `webhook-signature` is `v1a,` and the base64 of a signature, by one of them, over `webhook-id`, `webhook-timestamp` and the body with a dot between each (Standard Webhooks).",
    who: "anyone",
    answers: [{ status: 200, description: "The present key first.", schema: callbackKeySet }],
  },
} as const satisfies Contracts;
