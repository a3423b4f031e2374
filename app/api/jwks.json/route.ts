import { readSealKeys, sealKeys } from "@/lib/audit/seal/trusted-keys";
import { EVENT_OPERATIONS } from "@/lib/contracts/operations/event-operations";
import { callbackKeys } from "@/lib/events/callback-keys";
import { openRoute } from "@/lib/http/contract-route";

// Keys of removed master keys may have leaked. They never stand among the keys that receivers of callbacks accept.
export const GET = openRoute(EVENT_OPERATIONS.read_callback_keys, async ({ query }) =>
  Response.json(
    { keys: query.use === "seal" ? await readSealKeys() : [...callbackKeys().keys, ...sealKeys()] },
    { headers: { "cache-control": "public, max-age=300" } },
  ),
);
