import { adminRoute } from "@/app/api/admin/admin-route";
import { SECRET_OPERATIONS } from "@/lib/contracts/operations/secret-operations";
import { listSecrets } from "@/lib/store/config/secrets";

// GET /api/admin/secrets: names, the sources that use each, when each was set and last used; never a value.
export const GET = adminRoute(SECRET_OPERATIONS.list_secrets, async ({ query }) => listSecrets(query));
