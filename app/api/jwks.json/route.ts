import { sealKeys } from "@/lib/audit/seal/trusted-keys";
import { EVENT_OPERATIONS } from "@/lib/contracts/operations/event-operations";
import { callbackKeys } from "@/lib/events/callback-keys";
import { openRoute } from "@/lib/http/contract-route";

export const GET = openRoute(EVENT_OPERATIONS.read_callback_keys, async () =>
  Response.json(
    { keys: [...callbackKeys().keys, ...sealKeys()] },
    { headers: { "cache-control": "public, max-age=300" } },
  ),
);
