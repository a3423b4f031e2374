import { currentFindings } from "@/app/api/admin/findings/answer-findings";
import { exportRoute } from "@/app/api/admin/exports/export-route";

// GET /api/admin/exports/findings: what in the configuration is probably not meant.
export const GET = exportRoute("findings", (query) => currentFindings(query));
