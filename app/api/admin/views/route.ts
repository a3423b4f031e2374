import { withETag } from "@/app/api/admin/[resource]/with-etag";
import { viewerOf } from "@/app/api/admin/views/viewer";
import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { listQuery } from "@/lib/contracts/changes/list";
import { savedViewInput } from "@/lib/resources/saved-view";
import { savedViews } from "@/lib/store/config/saved-views";

// GET /api/admin/views: the caller's own views and the shared ones.
export const GET = route({
  authenticate: user("configuration:read"),
  query: listQuery,
  respond: async ({ caller, query }) => savedViews.list(viewerOf(caller), query),
});

// POST /api/admin/views: a new view of the caller's own. Whoever reads a list may keep a view of it.
export const POST = route({
  authenticate: user("configuration:read"),
  body: savedViewInput,
  respond: async ({ caller, body }) => withETag(await savedViews.create(viewerOf(caller), body), 201),
});
