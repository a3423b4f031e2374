import { adminRoute } from "@/app/api/admin/admin-route";
import { LOG_OPERATIONS } from "@/lib/contracts/operations/log-operations";
import { can } from "@/lib/resources/permissions";
import { recordAuditEvent } from "@/lib/store/audit/audit-events";
import { getSession } from "@/lib/store/calls/sessions-list";

// A read of stored texts is logged before the answer.
export const GET = adminRoute(LOG_OPERATIONS.read_agent_session, async ({ caller, params, requestId }) => {
  const bodies = can(caller.role, "executions:bodies");
  const found = await getSession(params.id, { bodies, now: new Date() });
  if (bodies) await recordAuditEvent({ actor: caller.actor, action: "sessions.bodies", target: params.id, requestId });
  return found;
});
