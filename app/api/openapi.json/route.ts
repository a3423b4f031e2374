import { hash } from "node:crypto";
import { openApi } from "@/lib/contracts/operations/document";
import { isUnchanged } from "@/lib/http/if-none-match";
import { route } from "@/lib/http/route";

const text = JSON.stringify(openApi);
const etag = `"${hash("sha256", text).slice(0, 32)}"`;

// GET /api/openapi.json: this API, described. Public: it is the same in every installation of this version.
export const GET = route({
  authenticate: async () => null,
  respond: async ({ request }) => {
    const headers = { etag, "cache-control": "public, no-cache" };
    if (isUnchanged(request, etag)) return new Response(null, { status: 304, headers });
    return new Response(text, { headers: { ...headers, "content-type": "application/json" } });
  },
});
