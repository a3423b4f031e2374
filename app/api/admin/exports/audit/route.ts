import { exportRoute } from "@/app/api/admin/exports/export-route";
import { listAuditTrail } from "@/lib/store/audit/audit-trail";

// GET /api/admin/exports/audit: the audit trail as a file.
export const GET = exportRoute("audit", (query, { role }) => listAuditTrail(query, role));
