import { adminRoute } from "@/app/api/admin/admin-route";
import { RIGHTSIZING_OPERATIONS } from "@/lib/contracts/operations/rightsizing-operations";
import { markKept } from "@/lib/store/usage/read";

export const PUT = adminRoute(RIGHTSIZING_OPERATIONS.keep_tools, async ({ caller, params, body, requestId }) =>
  markKept(params.name, [...new Set(body.tools)], {
    reason: body.reason,
    actor: caller.actor,
    requestId,
    at: new Date(),
  }),
);
