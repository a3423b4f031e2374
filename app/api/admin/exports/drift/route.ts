import { exportRoute } from "@/app/api/admin/exports/export-route";
import { EXPORTED_LISTS } from "@/lib/contracts/changes/exported-lists";
import { listDrift } from "@/lib/sources/drift/drift";

// GET /api/admin/exports/drift: what sources say otherwise than the catalogue.
export const GET = exportRoute("drift", EXPORTED_LISTS.drift, (query) => listDrift(query));
