import { adminRoute } from "@/app/api/admin/admin-route";
import { LOG_OPERATIONS } from "@/lib/contracts/operations/log-operations";
import { getAuditEntry } from "@/lib/store/audit/audit-trail";

export const GET = adminRoute(LOG_OPERATIONS.read_audit_entry, async ({ caller, params }) =>
  getAuditEntry(params.id, caller.role),
);
