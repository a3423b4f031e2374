import { adminRoute } from "@/app/api/admin/admin-route";
import { readRightsizing } from "@/lib/admin/rightsizing/detail";
import { RIGHTSIZING_OPERATIONS } from "@/lib/contracts/operations/rightsizing-operations";

export const GET = adminRoute(RIGHTSIZING_OPERATIONS.read_rightsizing, async ({ params, query }) =>
  readRightsizing(params.name, query.days),
);
