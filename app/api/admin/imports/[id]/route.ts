import { adminRoute } from "@/app/api/admin/admin-route";
import { IMPORT_OPERATIONS } from "@/lib/contracts/operations/import-operations";
import { Reply } from "@/lib/http/reply";
import { getImportText } from "@/lib/store/sources/import-jobs";

export const GET = adminRoute(
  IMPORT_OPERATIONS.read_import,
  async ({ params }) => new Reply(await getImportText(params.id), 200, { "content-type": "application/json" }),
);
