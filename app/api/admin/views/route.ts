import { withETag } from "@/app/api/admin/[resource]/with-etag";
import { adminRoute } from "@/app/api/admin/admin-route";
import { viewerOf } from "@/app/api/admin/views/viewer";
import { IDENTITY_OPERATIONS } from "@/lib/contracts/operations/identity-operations";
import { savedViews } from "@/lib/store/config/saved-views";

// GET /api/admin/views: the caller's own views and the shared ones.
export const GET = adminRoute(IDENTITY_OPERATIONS.list_views, async ({ caller, query }) =>
  savedViews.list(viewerOf(caller), query),
);

// POST /api/admin/views: saves a view for the caller. It needs only the permission to read the list.
export const POST = adminRoute(IDENTITY_OPERATIONS.create_view, async ({ caller, body }) =>
  withETag(await savedViews.create(viewerOf(caller), body), 201),
);
