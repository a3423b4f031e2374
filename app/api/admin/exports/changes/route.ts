import { exportRoute } from "@/app/api/admin/exports/export-route";
import { listChanges } from "@/lib/store/save/changes";

export const GET = exportRoute("changes", (query, { role }) => listChanges(query, role));
