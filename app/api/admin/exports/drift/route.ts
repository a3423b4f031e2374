import { exportRoute } from "@/app/api/admin/exports/export-route";
import { listDrift } from "@/lib/sources/drift/drift";

// GET /api/admin/exports/drift: what sources say otherwise than the catalogue.
export const GET = exportRoute("drift", (query) => listDrift(query));
