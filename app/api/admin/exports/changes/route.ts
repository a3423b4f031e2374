import { exportRoute } from "@/app/api/admin/exports/export-route";
import { listChanges } from "@/lib/store/save/changes";

// GET /api/admin/exports/changes: who changed what, as far as the caller may read it.
export const GET = exportRoute("changes", (query, { role }) => listChanges(query, role));
