import { adminRoute } from "@/app/api/admin/admin-route";
import { listDenials } from "@/lib/admin/denials";
import { DENIAL_OPERATIONS } from "@/lib/contracts/operations/denial-operations";

export const GET = adminRoute(DENIAL_OPERATIONS.list_denials, async ({ query }) => listDenials(query, Date.now()));
