import { adminRoute } from "@/app/api/admin/admin-route";
import { SECRET_OPERATIONS } from "@/lib/contracts/operations/secret-operations";
import { deleteSecret, getSecret, setSecret } from "@/lib/store/config/secrets";

// GET /api/admin/secrets/{name}: the secret's facts, never its value.
export const GET = adminRoute(SECRET_OPERATIONS.read_secret, async ({ params: { name } }) => getSecret(name));

// PUT /api/admin/secrets/{name}: sets the value, which the next call uses.
export const PUT = adminRoute(SECRET_OPERATIONS.set_secret, async ({ caller, params: { name }, body }) =>
  setSecret(caller.actor, name, body),
);

// DELETE /api/admin/secrets/{name}: deletes the secret unless a source names it.
export const DELETE = adminRoute(SECRET_OPERATIONS.delete_secret, async ({ caller, params: { name } }) =>
  deleteSecret(caller.actor, name),
);
