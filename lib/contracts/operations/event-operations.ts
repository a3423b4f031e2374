import { at, ok, type Contracts } from "@/lib/contracts/operations/operation";
import { callbackKeyQuery, callbackKeySet } from "@/lib/contracts/agents/callback-keys";
import { deliveryDetail, deliveryPage } from "@/lib/contracts/agents/delivery";
import { listQuery } from "@/lib/contracts/changes/list";
import { idInPath, nameInPath } from "@/lib/resources/parts/name";
import { webhookCreated } from "@/lib/resources/webhook";

/**
 * Operations on webhooks besides the standard five, on deliveries and on callbacks
 * (docs/reference/execution.md#events).
 */
export const EVENT_OPERATIONS = {
  test_webhook: {
    ...at.post("/api/admin/webhooks/{name}/test"),
    summary: "Send a test message",
    description:
      "The message has the type `webhook.test` and is signed and delivered like any other. Refused while the webhook is off.",
    who: "settings:write",
    params: nameInPath,
    answers: [{ status: 202, description: "The delivery.", schema: deliveryDetail }],
    errors: ["conflict"],
  },
  rotate_webhook: {
    ...at.post("/api/admin/webhooks/{name}/rotate"),
    summary: "Replace a webhook's secret",
    description: "For one day, messages carry signatures of both secrets: `webhook-signature` holds the new one first.",
    who: "settings:write",
    params: nameInPath,
    answers: [
      { status: 201, description: "The webhook with its secret, which is shown only once.", schema: webhookCreated },
    ],
  },
  list_deliveries: {
    ...at.get("/api/admin/deliveries"),
    summary: "List deliveries to webhooks and callbacks",
    description:
      "Deliveries of the last 30 days, newest first. Filters: `status`, `webhook`, `type`, `call`; sort: `at`.",
    who: "configuration:read",
    query: listQuery,
    answers: [ok("A page.", deliveryPage)],
  },
  read_delivery: {
    ...at.get("/api/admin/deliveries/{id}"),
    summary: "Read a delivery with its attempts",
    who: "configuration:read",
    params: idInPath,
    answers: [ok("The delivery, with the first kilobyte of each answer.", deliveryDetail)],
  },
  redeliver: {
    ...at.post("/api/admin/deliveries/{id}/redeliver"),
    summary: "Send a delivery again with the same message id",
    description: "Refused while the webhook is off, or while the call of a callback has not ended.",
    who: "settings:write",
    params: idInPath,
    answers: [{ status: 202, description: "The pending delivery.", schema: deliveryDetail }],
    errors: ["conflict"],
  },
  read_callback_keys: {
    ...at.get("/api/jwks.json"),
    summary: "Read the public keys that verify callbacks",
    description:
      "A JWK set of Ed25519 keys. A callback's `webhook-signature` is `v1a,` and a base64 signature by one of these keys over `webhook-id`, `webhook-timestamp` and the body, joined by dots (Standard Webhooks). `use=seal` lists the keys of seals alone, also those of earlier master keys: for `verify-proof` and `verify-archive`.",
    who: "anyone",
    query: callbackKeyQuery,
    answers: [ok("The keys; the present one is first.", callbackKeySet)],
    errors: ["config_unavailable"],
  },
} as const satisfies Contracts;
