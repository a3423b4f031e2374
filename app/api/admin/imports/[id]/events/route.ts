import { adminRoute } from "@/app/api/admin/admin-route";
import { IMPORT_OPERATIONS } from "@/lib/contracts/operations/import-operations";
import { followImport } from "@/lib/sources/import/follow-import";

export const GET = adminRoute(IMPORT_OPERATIONS.follow_import, ({ params }) => followImport(params.id));
