import { adminRoute } from "@/app/api/admin/admin-route";
import { listAgentSizes } from "@/lib/admin/agent-sizes";
import { PREVIEW_OPERATIONS } from "@/lib/contracts/operations/preview-operations";

export const GET = adminRoute(PREVIEW_OPERATIONS.list_agent_sizes, async ({ request }) =>
  listAgentSizes(request.signal),
);
