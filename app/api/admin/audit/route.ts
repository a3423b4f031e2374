import { adminRoute } from "@/app/api/admin/admin-route";
import { LOG_OPERATIONS } from "@/lib/contracts/operations/log-operations";
import { listAuditTrail } from "@/lib/store/audit/audit-trail";

export const GET = adminRoute(LOG_OPERATIONS.list_audit_trail, async ({ caller, query }) =>
  listAuditTrail(query, caller.role),
);
