import { adminRoute } from "@/app/api/admin/admin-route";
import { IDENTITY_OPERATIONS } from "@/lib/contracts/operations/identity-operations";
import { endOverlap, rotateApiKey } from "@/lib/store/config/api-keys";

export const POST = adminRoute(IDENTITY_OPERATIONS.rotate_api_key, async ({ caller, params: { name }, body }) =>
  rotateApiKey(caller.actor, name, body),
);

export const DELETE = adminRoute(IDENTITY_OPERATIONS.end_overlap, async ({ caller, params: { name } }) =>
  endOverlap(caller.actor, name),
);
