import { exportRoute } from "@/app/api/admin/exports/export-route";
import { listAuditTrail } from "@/lib/store/audit/audit-trail";

export const GET = exportRoute("audit", (query, { role }) => listAuditTrail(query, role));
