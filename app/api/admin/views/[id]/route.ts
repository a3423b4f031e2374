import { withETag } from "@/app/api/admin/[resource]/with-etag";
import { adminRoute } from "@/app/api/admin/admin-route";
import { viewerOf } from "@/app/api/admin/views/viewer";
import { IDENTITY_OPERATIONS } from "@/lib/contracts/operations/identity-operations";
import { savedViews } from "@/lib/store/config/saved-views";

export const GET = adminRoute(IDENTITY_OPERATIONS.read_view, async ({ caller, params: { id } }) =>
  withETag(await savedViews.get(viewerOf(caller), id)),
);

export const PUT = adminRoute(IDENTITY_OPERATIONS.replace_view, async ({ caller, params: { id }, body, ifMatch }) =>
  withETag(await savedViews.replace(viewerOf(caller), id, body, ifMatch())),
);

export const DELETE = adminRoute(IDENTITY_OPERATIONS.delete_view, async ({ caller, params: { id }, ifMatch }) =>
  savedViews.remove(viewerOf(caller), id, ifMatch() ?? "*"),
);
