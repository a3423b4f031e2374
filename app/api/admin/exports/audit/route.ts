import { exportRoute } from "@/app/api/admin/exports/export-route";
import { EXPORTED_LISTS } from "@/lib/contracts/changes/exported-lists";
import { listAuditTrail } from "@/lib/store/audit/audit-trail";

// GET /api/admin/exports/audit: the audit trail as a file.
export const GET = exportRoute("audit", EXPORTED_LISTS.audit, (query, { role }) => listAuditTrail(query, role));
