import { adminRoute } from "@/app/api/admin/admin-route";
import { LOG_OPERATIONS } from "@/lib/contracts/operations/log-operations";
import { AppError } from "@/lib/errors";
import { can } from "@/lib/resources/permissions";
import { recordAuditEvent } from "@/lib/store/audit/audit-events";
import { droppedCall } from "@/lib/store/log/dropped-calls";
import { getExecution } from "@/lib/store/log/executions";

// A read of bodies is logged before the answer.
export const GET = adminRoute(LOG_OPERATIONS.read_execution, async ({ caller, params, requestId }) => {
  const bodies = can(caller.role, "executions:bodies");
  const found = await getExecution(params.id, { bodies });
  if (found === null) throw (await droppedCall(params.id)) ?? new AppError("not_found", "There is no such execution.");
  if (bodies)
    await recordAuditEvent({ actor: caller.actor, action: "executions.bodies", target: params.id, requestId });
  return found;
});
