import { exportRoute } from "@/app/api/admin/exports/export-route";
import { listDrift } from "@/lib/sources/drift/drift";

// GET /api/admin/exports/drift: the differences between sources and the catalogue.
export const GET = exportRoute("drift", (query) => listDrift(query));
