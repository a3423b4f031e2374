import { adminRoute } from "@/app/api/admin/admin-route";
import { SECRET_OPERATIONS } from "@/lib/contracts/operations/secret-operations";
import { listSecrets } from "@/lib/store/config/secrets";

export const GET = adminRoute(SECRET_OPERATIONS.list_secrets, async ({ query }) => listSecrets(query));
