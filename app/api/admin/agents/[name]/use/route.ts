import { adminRoute } from "@/app/api/admin/admin-route";
import { useOfAgent } from "@/lib/admin/rightsizing/overview";
import { RIGHTSIZING_OPERATIONS } from "@/lib/contracts/operations/rightsizing-operations";

export const GET = adminRoute(RIGHTSIZING_OPERATIONS.read_agent_use, async ({ params, query }) =>
  useOfAgent(params.name, query.days),
);
