import { adminRoute } from "@/app/api/admin/admin-route";
import { listImportCallers } from "@/lib/admin/import-callers";
import { IMPORT_OPERATIONS } from "@/lib/contracts/operations/import-operations";

// GET /api/admin/imports/{id}/callers: who would see the new tools if they joined with these groups.
export const GET = adminRoute(IMPORT_OPERATIONS.list_import_callers, ({ params, query }) =>
  listImportCallers(params.id, query.group),
);
