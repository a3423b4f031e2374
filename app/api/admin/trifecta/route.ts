import { adminRoute } from "@/app/api/admin/admin-route";
import { FLOW_OPERATIONS } from "@/lib/contracts/operations/flow-operations";
import { listTriangles } from "@/lib/admin/flow/trifecta";

export const GET = adminRoute(FLOW_OPERATIONS.list_triangles, async ({ request }) => listTriangles(request.signal));
