import { sealKeys } from "@/lib/audit/seal/trusted-keys";
import { callbackKeys } from "@/lib/events/callback-keys";
import { route } from "@/lib/http/route";

// GET /api/jwks.json: the public keys that callbacks and seals of the log are verified with. Anyone may have them.
export const GET = route({
  authenticate: async () => null,
  respond: async () =>
    Response.json(
      { keys: [...callbackKeys().keys, ...sealKeys()] },
      { headers: { "cache-control": "public, max-age=300" } },
    ),
});
