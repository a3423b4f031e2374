import { currentFindings } from "@/app/api/admin/findings/answer-findings";
import { exportRoute } from "@/app/api/admin/exports/export-route";

// GET /api/admin/exports/findings: the findings about the configuration.
export const GET = exportRoute("findings", (query) => currentFindings(query));
