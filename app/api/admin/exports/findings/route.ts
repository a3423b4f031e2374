import { currentFindings } from "@/app/api/admin/findings/answer-findings";
import { exportRoute } from "@/app/api/admin/exports/export-route";
import { EXPORTED_LISTS } from "@/lib/contracts/changes/exported-lists";

// GET /api/admin/exports/findings: what in the configuration is probably not meant.
export const GET = exportRoute("findings", EXPORTED_LISTS.findings, (query) => currentFindings(query));
