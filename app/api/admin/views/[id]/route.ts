import { withETag } from "@/app/api/admin/[resource]/with-etag";
import { adminRoute } from "@/app/api/admin/admin-route";
import { viewerOf } from "@/app/api/admin/views/viewer";
import { IDENTITY_OPERATIONS } from "@/lib/contracts/operations/identity-operations";
import { savedViews } from "@/lib/store/config/saved-views";

// GET /api/admin/views/{name}
export const GET = adminRoute(IDENTITY_OPERATIONS.read_view, async ({ caller, params: { id } }) =>
  withETag(await savedViews.get(viewerOf(caller), id)),
);

// PUT /api/admin/views/{name}: full replacement by its owner, of the revision that `If-Match` names.
export const PUT = adminRoute(IDENTITY_OPERATIONS.replace_view, async ({ caller, params: { id }, body, ifMatch }) =>
  withETag(await savedViews.replace(viewerOf(caller), id, body, ifMatch())),
);

// DELETE /api/admin/views/{name}: by its owner, or a shared one by an admin.
export const DELETE = adminRoute(IDENTITY_OPERATIONS.delete_view, async ({ caller, params: { id }, ifMatch }) =>
  savedViews.remove(viewerOf(caller), id, ifMatch() ?? "*"),
);
