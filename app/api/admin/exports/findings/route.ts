import { currentFindings } from "@/app/api/admin/findings/answer-findings";
import { exportRoute } from "@/app/api/admin/exports/export-route";

export const GET = exportRoute("findings", (query) => currentFindings(query));
