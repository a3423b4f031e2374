import { exportRoute } from "@/app/api/admin/exports/export-route";
import { EXPORTED_LISTS } from "@/lib/contracts/changes/exported-lists";
import { listDenials } from "@/lib/admin/denials";

// GET /api/admin/exports/denials: refusals by caller, tool and rule.
export const GET = exportRoute("denials", EXPORTED_LISTS.denials, (query) => listDenials(query, Date.now()));
