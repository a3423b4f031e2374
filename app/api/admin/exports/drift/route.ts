import { exportRoute } from "@/app/api/admin/exports/export-route";
import { listDrift } from "@/lib/sources/drift/drift";

export const GET = exportRoute("drift", (query) => listDrift(query));
