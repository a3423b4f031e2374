import { withETag } from "@/app/api/admin/[resource]/with-etag";
import { adminRoute } from "@/app/api/admin/admin-route";
import { viewerOf } from "@/app/api/admin/views/viewer";
import { IDENTITY_OPERATIONS } from "@/lib/contracts/operations/identity-operations";
import { savedViews } from "@/lib/store/config/saved-views";

export const GET = adminRoute(IDENTITY_OPERATIONS.list_views, async ({ caller, query }) =>
  savedViews.list(viewerOf(caller), query),
);

export const POST = adminRoute(IDENTITY_OPERATIONS.create_view, async ({ caller, body }) =>
  withETag(await savedViews.create(viewerOf(caller), body), 201),
);
