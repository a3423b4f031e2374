import { z } from "zod";
import { withETag } from "@/app/api/admin/[resource]/with-etag";
import { viewerOf } from "@/app/api/admin/views/viewer";
import { user } from "@/lib/auth/people/user";
import { requireVersion } from "@/lib/http/if-match";
import { route } from "@/lib/http/route";
import { savedViewInput } from "@/lib/resources/saved-view";
import { savedViews } from "@/lib/store/config/saved-views";

const params = z.object({ id: z.string().min(1).max(64) });

// GET /api/admin/views/{name}
export const GET = route({
  authenticate: user("configuration:read"),
  params,
  respond: async ({ caller, params: { id } }) => withETag(await savedViews.get(viewerOf(caller), id)),
});

// PUT /api/admin/views/{name}: full replacement by its owner, of the revision that `If-Match` names.
export const PUT = route({
  authenticate: user("configuration:read"),
  params,
  body: savedViewInput,
  respond: async ({ caller, params: { id }, body, request }) =>
    withETag(await savedViews.replace(viewerOf(caller), id, body, requireVersion(request))),
});

// DELETE /api/admin/views/{name}: by its owner, or a shared one by an admin.
export const DELETE = route({
  authenticate: user("configuration:read"),
  params,
  respond: async ({ caller, params: { id }, request }) =>
    savedViews.remove(viewerOf(caller), id, request.headers.has("if-match") ? requireVersion(request) : "*"),
});
