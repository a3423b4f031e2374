import { adminRoute } from "@/app/api/admin/admin-route";
import { listImportCallers } from "@/lib/admin/import-callers";
import { IMPORT_OPERATIONS } from "@/lib/contracts/operations/import-operations";

export const POST = adminRoute(IMPORT_OPERATIONS.list_import_callers, ({ params, body }) =>
  listImportCallers(params.id, body),
);
