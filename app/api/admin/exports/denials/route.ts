import { exportRoute } from "@/app/api/admin/exports/export-route";
import { listDenials } from "@/lib/admin/denials";

// GET /api/admin/exports/denials: refusals by caller, tool and rule.
export const GET = exportRoute("denials", (query) => listDenials(query, Date.now()));
