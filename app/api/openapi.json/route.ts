import { sha256Hex } from "@/lib/access/sha256";
import { toOpenApi } from "@/lib/api/document";
import { isUnchanged } from "@/lib/http/if-none-match";
import { route } from "@/lib/http/route";
import packageJson from "@/package.json" with { type: "json" };

/** Made once: a build has one description. */
let made: { readonly text: string; readonly etag: string } | undefined;

// GET /api/openapi.json: this API, described. Public: it is the same in every installation of this version.
export const GET = route({
  authenticate: async () => null,
  respond: async ({ request }) => {
    made ??= describe();
    const headers = { etag: made.etag, "cache-control": "public, no-cache" };
    if (isUnchanged(request, made.etag)) return new Response(null, { status: 304, headers });
    return new Response(made.text, { headers: { ...headers, "content-type": "application/json" } });
  },
});

function describe(): { text: string; etag: string } {
  const text = JSON.stringify(toOpenApi(packageJson.version));
  return { text, etag: `"${sha256Hex(text).slice(0, 32)}"` };
}
