import { adminRoute } from "@/app/api/admin/admin-route";
import { LOG_OPERATIONS } from "@/lib/contracts/operations/log-operations";
import { AppError } from "@/lib/errors";
import { readExport } from "@/lib/store/log/log-exports";

export const GET = adminRoute(LOG_OPERATIONS.read_export, async ({ params }) => {
  const manifest = await readExport(params.id);
  if (manifest === null) throw new AppError("not_found", "There is no such export, or its download was not completed.");
  return manifest;
});
