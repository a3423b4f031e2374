import { adminRoute } from "@/app/api/admin/admin-route";
import { LOG_OPERATIONS } from "@/lib/contracts/operations/log-operations";
import { AppError } from "@/lib/errors";
import { can } from "@/lib/resources/permissions";
import { recordAuditEvent } from "@/lib/store/audit/audit-events";
import { withBodies } from "@/lib/store/log/execution-bodies";
import { listExecutions } from "@/lib/store/log/executions";

export const GET = adminRoute(LOG_OPERATIONS.list_executions, async ({ caller, query: allQuery, requestId }) => {
  const { arguments: withArguments, ...query } = allQuery;
  if (!withArguments) return listExecutions(query);
  if (!can(caller.role, "executions:bodies"))
    throw new AppError("forbidden", "Your role may not read arguments. Omit `arguments`.");
  // A request with a wrong filter writes no audit event; a read of arguments is logged before they are loaded.
  const page = await listExecutions(query);
  await recordAuditEvent({ actor: caller.actor, action: "executions.arguments", target: "list", requestId });
  const rows = await withBodies(page.items);
  return { ...page, items: page.items.map((row, index) => ({ ...row, arguments: rows[index]?.arguments ?? null })) };
});
