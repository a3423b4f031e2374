import { withETag } from "@/app/api/admin/[resource]/with-etag";
import { adminRoute } from "@/app/api/admin/admin-route";
import { SECRET_OPERATIONS } from "@/lib/contracts/operations/secret-operations";
import { deleteSecret, getSecret, setSecret } from "@/lib/store/config/secrets";

export const GET = adminRoute(SECRET_OPERATIONS.read_secret, async ({ params: { name } }) =>
  withETag(await getSecret(name)),
);

export const PUT = adminRoute(SECRET_OPERATIONS.set_secret, async ({ caller, params: { name }, body, ifMatch }) =>
  withETag(await setSecret(caller.actor, name, body, { ifMatch: ifMatch() })),
);

export const DELETE = adminRoute(SECRET_OPERATIONS.delete_secret, async ({ caller, params: { name } }) =>
  deleteSecret(caller.actor, name),
);
