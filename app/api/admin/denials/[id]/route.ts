import { adminRoute } from "@/app/api/admin/admin-route";
import { readDenial } from "@/lib/admin/denial-today";
import { DENIAL_OPERATIONS } from "@/lib/contracts/operations/denial-operations";
import { AppError } from "@/lib/errors";
import { can } from "@/lib/resources/permissions";
import { recordAuditEvent } from "@/lib/store/audit/audit-events";
import { droppedCall } from "@/lib/store/log/dropped-calls";

// A fix reveals claims of the caller: only roles that may read bodies get it, where nothing else helps, and the read is logged.
export const GET = adminRoute(DENIAL_OPERATIONS.read_denial, async ({ request, caller, params: { id }, requestId }) => {
  const bodies = can(caller.role, "executions:bodies");
  const found = await readDenial(id, caller.actor, Date.now(), request.signal);
  if (found === null) throw (await droppedCall(id)) ?? new AppError("not_found", "There is no such refusal.");
  const { today, grants, flow } = found;
  const isNeeded = grants.length === 0 && flow === null && today.statePath === null;
  const fix = bodies && isNeeded ? today.fix : null;
  if (fix !== null) await recordAuditEvent({ actor: caller.actor, action: "executions.bodies", target: id, requestId });
  return { ...found, today: { ...today, fix } };
});
